"""Manual pages and completions say what the command line says."""

import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from ictus.cli.app import app
from ictus.cli.install import module_file
from ictus.cli.manual import COMPLETIONS, manual_pages, roff
from ictus.model.library import Installation

ROOT = Path(__file__).parent.parent.parent
COMMANDS: dict[str, Any] = {name: one for name, one in app.commands.items() if not one.hidden}


@pytest.mark.figures
def test_every_command_has_a_page_with_all_its_options() -> None:
    """Those of a group's commands too; `ictus.1` names all commands."""
    pages = manual_pages()
    assert set(pages) == {"ictus.1", *(f"ictus-{name}.1" for name in COMMANDS)}
    for name, command in COMMANDS.items():
        text = pages[f"ictus-{name}.1"]
        assert f".BR ictus\\-{roff(name)} (1)" in pages["ictus.1"]
        for one in (command, *getattr(command, "commands", {}).values()):
            for parameter in one.params:
                if parameter.param_type_name == "option" and not parameter.hidden:
                    assert all(roff(option) in text for option in parameter.opts), (name, parameter.opts)


@pytest.mark.figures
def test_a_text_is_shown_as_it_was_written() -> None:
    """Nothing of it is a request of roff, and what is copied from the page works in a shell."""
    assert roff(".TH") == "\\&.TH"
    assert roff("'slower > 3 %' `a` a\\b ^~\"") == "\\(aqslower > 3 %\\(aq \\(gaa\\(ga a\\eb \\(ha\\(ti\\(dq"
    assert roff("--op") == "\\-\\-op"
    requests = {line.split()[0] for text in manual_pages().values() for line in text.splitlines() if line[:1] in ".'"}
    assert requests == {".TH", ".SH", ".SS", ".PP", ".TP", ".B", ".BR"}


@pytest.mark.figures
@pytest.mark.engine("man")
@pytest.mark.parametrize("name", ["ictus-run.1", "ictus.1", "ictus-redirect.1"])
def test_man_shows_the_page_without_a_warning(name: str, tmp_path: Path) -> None:
    """Options and quotes come out as ASCII."""
    (tmp_path / name).write_text(manual_pages()[name], "utf-8")
    environment = {**os.environ, "MANWIDTH": "100", "LC_ALL": "C.UTF-8"}
    words = ("man", "--warnings", "--local-file", str(tmp_path / name))
    shown = subprocess.run(words, env=environment, capture_output=True, text=True, check=True)
    assert shown.stderr == ""
    plain = re.sub(r".\x08", "", shown.stdout)
    assert "ictus" in plain
    assert name != "ictus-run.1" or "--sizes" in plain


BASH = """
source completion
complete_words() {
    COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1))
    _ictus_completion ictus
    echo "${COMPREPLY[*]}"
}
complete_words ictus comp
complete_words ictus compare --g
"""


def ictus_in(folder: Path) -> dict[str, str]:
    """An environment whose PATH has this ictus first."""
    program = folder / "bin/ictus"
    program.parent.mkdir()
    program.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m ictus "$@"\n')
    program.chmod(0o755)
    return {**os.environ, "PATH": f"{program.parent}:{os.environ['PATH']}"}


def test_bash_completes_commands_and_options(tmp_path: Path) -> None:
    """By the file that is installed."""
    (tmp_path / "completion").write_text(COMPLETIONS["bash-completion/completions/ictus"])
    done = subprocess.run(
        ("bash", "-c", BASH), cwd=tmp_path, env=ictus_in(tmp_path), capture_output=True, text=True, check=True
    )
    assert done.stderr == ""
    commands, options = done.stdout.splitlines()
    assert commands.split() == ["compare"]
    assert "--gate" in options.split()


FISH = "source ictus.fish; complete --do-complete 'ictus comp'; complete --do-complete 'ictus compare --gat'"
ZSH = r"""
zmodload zsh/zpty
zpty shell zsh -f -i
zpty -w shell "PS1=; fpath=($PWD \$fpath); autoload -Uz compinit; compinit -u -D; echo rea''dy"
zpty -r shell line '*ready*'
for word shown in 'ictus comp' compare 'x --gat' --gate; do
    zpty -n -w shell $word$'\t'
    zpty -r shell line "*$shown*"
    print -r -- $shown
done
"""
"""An interactive shell in a terminal: the tabulator is pressed, and the whole word is waited for."""


@pytest.mark.engine("shells")
@pytest.mark.parametrize(
    ("words", "file"),
    [
        (("zsh", "-f", "-c", ZSH), "zsh/site-functions/_ictus"),
        (("fish", "--no-config", "-c", FISH), "fish/vendor_completions.d/ictus.fish"),
    ],
    ids=["zsh", "fish"],
)
def test_zsh_and_fish_complete_commands_and_options(words: tuple[str, ...], file: str, tmp_path: Path) -> None:
    """By the shells themselves, from the file that is installed with Ictus."""
    (tmp_path / Path(file).name).write_text(COMPLETIONS[file])
    environment = ictus_in(tmp_path)
    done = subprocess.run(
        words, cwd=tmp_path, env=environment, capture_output=True, text=True, check=False, timeout=120
    )
    assert [line.split("\t")[0] for line in done.stdout.splitlines()] == ["compare", "--gate"], done.stderr


def library(folder: Path) -> Installation:
    return Installation("mpich", "mpich", "5.0.2", folder / "bin/mpicxx", folder / "bin/mpiexec")


def test_the_module_file_names_the_folders_of_the_prefix(tmp_path: Path) -> None:
    """Also where libraries lie in lib64."""
    (tmp_path / "lib64").mkdir()
    (tmp_path / "lib64/libictus.so").touch()
    text = module_file(tmp_path, library(tmp_path), "0.1.0")
    assert text.startswith("#%Module1.0\n")
    assert f"set prefix {{{tmp_path}}}\n" in text
    assert "prepend-path LD_LIBRARY_PATH $prefix/lib64\n" in text


@pytest.mark.engine("tcl")
def test_the_module_file_is_tcl_that_sets_the_paths(tmp_path: Path) -> None:
    """Read by Tcl with the commands of Environment Modules defined; a blank in the prefix is not a separator."""
    prefix = tmp_path / "a prefix"
    (prefix / "lib").mkdir(parents=True)
    (prefix / "lib/libictus.so").touch()
    (tmp_path / "module").write_text(module_file(prefix, library(tmp_path), "0.1.0"))
    commands = "foreach name {prepend-path setenv module-whatis conflict} {proc $name args {puts [join $args |]}}\n"
    script = f"{commands}source {{{tmp_path / 'module'}}}\n"
    done = subprocess.run("tclsh", input=script, capture_output=True, text=True, check=True)
    assert f"PATH|{prefix}/bin" in done.stdout.splitlines()
    assert f"PKG_CONFIG_PATH|{prefix}/lib/pkgconfig" in done.stdout.splitlines()
