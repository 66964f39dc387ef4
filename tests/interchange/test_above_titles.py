"""What a script says above the tables of a file: told where it is unlike above launches of one case."""

from pathlib import Path

import pytest
from tests.interchange.printed import imb_text, osu_text

import ictus as product

TABLE = (
    "# Benchmarking Bcast \n# #processes = 2 \n#bytes #repetitions t_min[usec] t_max[usec] t_avg[usec]\n8 100 1 3 2\n"
)


def warnings(folder: Path, text: str, suite: str = "osu") -> list[str]:
    """Of the launches of a file."""
    (folder / "a.txt").write_text(text)
    n = 8 if suite == "osu" and "mpirun" not in text else None
    campaign = product.import_results(suite, [folder / "a.txt"], folder / "c", n=n)
    return [one for launch in campaign.launches for one in launch.record.head.warnings]


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("=== device buffers ===", "=== host buffers ==="),
        ("export UCX_TLS=tcp", "export UCX_TLS=sm"),
        ("# np=4", "# np=8"),
        ("running on 1 node", "running on 2 nodes"),
    ],
)
def test_unlike_words_above_launches_of_one_case_are_told(tmp_path: Path, one: str, other: str) -> None:
    """Nobody but the user knows what they mean."""
    table = osu_text({8: 0.5, 64: 0.7})
    (told,) = warnings(tmp_path, f"{one}\n{table}{other}\n{table}{other}\n{table}")
    assert told.startswith(f"a.txt, lines 3 and 10: above these launches of one case stands '{one}' and '{other}'; ")


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("run 1 of 3", "run 2 of 3"),
        ("Wed Mar  4 10:11:12 UTC 2026", "Wed Mar  4 10:15:02 UTC 2026"),
        ("$ mpirun -n 8 -H node1 ./osu_bcast", "$ mpirun -n 8 -H node2 ./osu_bcast"),
        ("Warning: Permanently added 'node1' to the list of known hosts.", "[node2:7] no such device"),
        ("first", ""),
    ],
)
def test_the_number_of_a_run_the_time_and_commands_are_not_told(tmp_path: Path, one: str, other: str) -> None:
    """They differ between any two launches, or are read."""
    table = osu_text({8: 0.5})
    assert warnings(tmp_path, f"{one}\n{table}{other}\n{table}") == []


def test_the_end_of_an_output_is_not_above_the_next_one(tmp_path: Path) -> None:
    """IMB ends with a comment, which the first launch of a file has not above it."""
    assert warnings(tmp_path, f"a\n{imb_text(TABLE)}a\n{imb_text(TABLE)}", "imb") == []
