"""What two logs say unlike of their tables is never compared, unless `--allow` says that it is meant."""

from pathlib import Path

import pytest
from tests.command_line import Ictus

import ictus as product
from ictus.model.errors import UsageError

TITLE = "# OSU MPI{} Bandwidth Test v7.4\n"
BUFFERS = "# Send Buffer on {} and Receive Buffer on HOST (H)\n"
ROWS = "# Size      Bandwidth (MB/s)\n8192  {:.2f}\n16384  {:.2f}\n"
COMMAND = "$ mpirun -n 2 {}./osu_bw{}\n"


def log(rate: float, *, buffer: str = "HOST (H)", launcher: str = "", options: str = "", comment: str = "") -> str:
    """The output of a launch."""
    head = COMMAND.format(launcher, options) + TITLE.format("-CUDA") + BUFFERS.format(buffer) + comment
    return head + ROWS.format(rate, 1.5 * rate)


def write(name: str, texts: list[str]) -> list[str]:
    """Files of a folder."""
    Path(name).mkdir()
    for number, text in enumerate(texts):
        Path(name, f"{number}.txt").write_text(text)
    return [f"{name}/{number}.txt" for number in range(len(texts))]


def words(text: str) -> str:
    """A text in one line."""
    return " ".join(text.split())


def test_labels_with_unlike_facts_are_compared_only_where_it_is_allowed(ictus: Ictus) -> None:
    """Buffers on the host against buffers on a device: the command of the refusal compares them, and says what it left
    out.
    """
    files = write("host", [log(100 + one) for one in range(5)])
    files += write("device", [log(200 + one, buffer="DEVICE (D)") for one in range(5)])
    made = ictus("import", "osu", *files, "-o", "c", "-m", "host=host/", "-m", "device=device/", "--interleaved")
    assert made.code == 0, made.err
    refused = ictus("compare", "c")
    assert refused.code == 2
    assert "they differ in operation (osu_bw(accelerator=cuda,send=host,receive=host)" in words(refused.err)
    assert words(refused.err).endswith("; say that it is meant with --allow send")
    allowed = ictus("compare", "c", "--allow", "send")
    assert allowed.code == 0, allowed.err
    assert (
        "unlike cases are compared, which --allow says is meant: send is host in c:host, device in c:device"
        in words(allowed.err)
    )
    found = product.compare(product.load("c"), allow=["send"])
    assert [row.case["operation"] for row in found.rows] == ["osu_bw(accelerator=cuda,receive=host)"] * 2
    assert [row.result.verdict.kind.name for row in found.rows] == ["SLOWER", "SLOWER"]


def test_a_comment_that_nobody_knows_keeps_two_imports_apart(tmp_path: Path) -> None:
    """A new version may print one more line: `header` is a fact that can be allowed as every other."""
    for name, comment in (("old", ""), ("new", "# Buffers are pinned\n")):
        paths = []
        for number in range(3):
            paths.append(tmp_path / f"{name}{number}.txt")
            paths[-1].write_text(log(100 + number, comment=comment))
        product.import_results("osu", paths, tmp_path / name)
    old, new = product.load(tmp_path / "old"), product.load(tmp_path / "new")
    with pytest.raises(UsageError, match=r"they differ in operation .*--allow header$"):
        product.compare(new, other=old)
    found = product.compare(new, other=old, allow=["header"])
    assert len(found.rows) == 2
    assert any("header is is_buffers_are_pinned in new:osu, none in old:osu" in text for text in found.warnings)


def test_cases_that_would_become_one_are_refused(tmp_path: Path) -> None:
    """A log with both places of buffers has two cases; without the fact they would be launches of one."""
    paths = {name: tmp_path / f"{name}.txt" for name in ("old", "new")}
    paths["old"].write_text(log(100))
    paths["new"].write_text(log(100) + log(200, buffer="DEVICE (D)"))
    campaign = product.import_results("osu", list(paths.values()), tmp_path / "c", labels=["old=old*", "new=new*"])
    with pytest.raises(UsageError, match=r"--allow send: .* of new, which would become one case; import them apart"):
        product.compare(campaign, allow=["send"])
    assert [row.result.verdict.kind.name for row in product.compare(campaign).rows].count("MISSING") == 2


def test_names_of_facts_are_those_of_the_imports(tmp_path: Path) -> None:
    """Others are refused with the list; a campaign that Ictus measured has none."""
    (tmp_path / "a.txt").write_text(log(100))
    campaign = product.import_results("osu", [tmp_path / "a.txt"], tmp_path / "c")
    with pytest.raises(UsageError, match="condition 'sent' that may differ") as refused:
        product.compare(campaign, other=campaign, allow=["sent"])
    assert "calls, version, accelerator, send, receive" in str(refused.value)


@pytest.mark.parametrize(
    ("one", "other", "name", "texts"),
    [
        ({"options": " -i 100"}, {"options": " -i 10000"}, "calls", "100 against 10,000"),
        (
            {"launcher": "--map-by node "},
            {"launcher": "--map-by core "},
            "launcher-options",
            "is_map_by_node against is_map_by_core",
        ),
    ],
)
def test_two_imports_with_unlike_conditions_are_refused(
    tmp_path: Path, one: dict[str, str], other: dict[str, str], name: str, texts: str
) -> None:
    """How many calls a number is of, and what the launcher was told, are in no table, but in the echoed command."""
    sides = []
    for number, what in enumerate((one, other)):
        (tmp_path / f"{number}.txt").write_text(log(100, **what))  # type: ignore[arg-type]
        sides.append(product.import_results("osu", [tmp_path / f"{number}.txt"], tmp_path / str(number)))
    with pytest.raises(UsageError) as refused:
        product.compare(sides[0], other=sides[1])
    assert f"differ in {name} ({texts})" in str(refused.value)
    assert str(refused.value).endswith(f"--allow {name}")
    assert product.compare(sides[0], other=sides[1], allow=[name]).rows


def test_what_a_log_does_not_echo_differs_from_nothing(tmp_path: Path) -> None:
    """A log with its command against one without."""
    (tmp_path / "a.txt").write_text(log(100, launcher="--map-by node ", options=" -i 100"))
    (tmp_path / "b.txt").write_text(log(100).partition("\n")[2])
    sides = [product.import_results("osu", [tmp_path / f"{name}.txt"], tmp_path / name) for name in "ab"]
    assert product.compare(sides[0], other=sides[1]).rows


def test_launches_that_were_placed_unlike_are_no_launches_of_one_case(tmp_path: Path) -> None:
    """One node and two, variables before the command; hosts, paths and files of output make no difference."""
    texts = [
        log(100, launcher="--map-by node -H node1,node2 -output-filename out.1 "),
        log(101, launcher="-map-by node -H node3,node4 -output-filename out.2 "),
        log(300, launcher="--map-by core "),
        log(200).replace("$ mpirun", "$ UCX_TLS=tcp LD_LIBRARY_PATH=/opt/lib mpirun"),
        log(102).partition("\n")[2],
    ]
    paths = [tmp_path / f"{number}.txt" for number in range(len(texts))]
    for path, text in zip(paths, texts, strict=True):
        path.write_text(text)
    campaign = product.import_results("osu", paths, tmp_path / "c")
    facts = "osu_bw(accelerator=cuda,send=host,receive=host,launcher_options={})"
    assert campaign.cases["operation"].unique(maintain_order=True).to_list() == [
        facts.format(one) for one in ("is_map_by_node", "is_map_by_core", "is_ucx_tls_tcp", "unknown")
    ]
    assert sorted(row.n_launches for row in product.cases(campaign).rows if row.case["size_bytes"] == 8192) == [
        1,
        1,
        1,
        2,
    ]


def test_launchers_of_two_libraries_have_words_of_their_own(tmp_path: Path) -> None:
    """`-bind-to core` of one library and `--map-by core` of the other keep their cases comparable."""
    for name, launcher in (("mpich", "-bind-to core "), ("openmpi", "--map-by core ")):
        (tmp_path / f"{name}.txt").write_text(log(100, launcher=launcher))
    paths = [tmp_path / f"{name}.txt" for name in ("mpich", "openmpi")]
    campaign = product.import_results("osu", paths, tmp_path / "c", labels=["mpich=mpich*", "openmpi=openmpi*"])
    assert len(campaign.cases) == 2


@pytest.mark.parametrize(
    ("old", "new", "fact"),
    [
        ("v7.4", "v5.6", "version=is_5_6"),
        ("8192  100.00", "8192  100.00  Pass", "validation=on"),
        ("", " -T mpi_float", ""),
    ],
)
def test_versions_checks_and_datatypes_keep_launches_apart(tmp_path: Path, old: str, new: str, fact: str) -> None:
    """Of one library in one import; a datatype that only the command says is a factor of its own."""
    other = log(100, options=new) if not old else log(100).replace(old, new)
    if fact.startswith("validation"):
        other = other.replace("(MB/s)\n", "(MB/s)  Validation\n").replace("150.00", "150.00  Pass")
    for number, text in enumerate((log(100), other)):
        (tmp_path / f"{number}.txt").write_text(text)
    campaign = product.import_results("osu", [tmp_path / "0.txt", tmp_path / "1.txt"], tmp_path / "c")
    assert len(campaign.cases) == 4
    operations = campaign.cases["operation"].unique(maintain_order=True).to_list()
    assert fact in operations[-1]
    assert campaign.cases["datatype"].n_unique() == (1 if fact else 2)


def test_two_versions_of_a_suite_are_compared_only_where_it_is_allowed(tmp_path: Path) -> None:
    """IMB changed how many messages are in flight between two versions, and prints it nowhere."""
    sides = []
    for version in ("7.4", "5.6"):
        (tmp_path / f"{version}.txt").write_text(log(100).replace("7.4", version))
        sides.append(product.import_results("osu", [tmp_path / f"{version}.txt"], tmp_path / version))
    with pytest.raises(UsageError, match=r"differ in version \(7\.4 against 5\.6\).* --allow version$"):
        product.compare(sides[0], other=sides[1])
    assert product.compare(sides[0], other=sides[1], allow=["version"]).rows
