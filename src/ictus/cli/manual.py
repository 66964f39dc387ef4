"""Manual pages and completions, made from the command line itself.

A package puts them below PREFIX/share, where `man` and the shells look: packaging/share has them as `make docs` wrote
them, `ictus install` writes them anew.
"""

from collections.abc import Iterator, Mapping
from typing import Any

from ictus.cli.app import EPILOG, app
from ictus.cli.option_groups import PLAIN, grouped
from ictus.cli.reference import argument_text, default_text, metavar_text, one_line
from ictus.store.document import version

_BASH = """\
# Completion of ictus for bash: it asks ictus itself.
_ictus_completion() {
    local IFS=$'\\n'
    COMPREPLY=($(COMP_WORDS="${COMP_WORDS[*]}" COMP_CWORD=$COMP_CWORD _ICTUS_COMPLETE=complete_bash "$1" 2>/dev/null))
}
complete -o default -F _ictus_completion ictus
"""
_ZSH = """\
#compdef ictus
# Completion of ictus for zsh: it asks ictus itself.
eval "$(_TYPER_COMPLETE_ARGS="${words[1,$CURRENT]}" _ICTUS_COMPLETE=complete_zsh ictus 2>/dev/null)"
"""
_FISH = """\
# Completion of ictus for fish: it asks ictus itself.
function __ictus_complete
    env _ICTUS_COMPLETE=complete_fish _TYPER_COMPLETE_FISH_ACTION=$argv[1] \\
        _TYPER_COMPLETE_ARGS=(commandline -cp) ictus 2>/dev/null
end
complete --command ictus --no-files --arguments "(__ictus_complete get-args)" --condition "__ictus_complete is-args"
"""

COMPLETIONS: Mapping[str, str] = {
    "bash-completion/completions/ictus": _BASH,
    "zsh/site-functions/_ictus": _ZSH,
    "fish/vendor_completions.d/ictus.fish": _FISH,
}
"""By the file below PREFIX/share in which each shell looks for them."""

_SPECIAL = {"\\": "\\e", "-": "\\-", "'": "\\(aq", "`": "\\(ga", "^": "\\(ha", "~": "\\(ti", '"': "\\(dq"}
"""What roff would show as another character than was written."""


def share_files() -> dict[str, str]:
    """Everything for PREFIX/share, by path."""
    return {**{f"man/man1/{name}": text for name, text in manual_pages().items()}, **COMPLETIONS}


def manual_pages() -> dict[str, str]:
    """A page for `ictus` and one for each of its commands, by file name."""
    root = app
    shown_commands = {name: command for name, command in root.commands.items() if not command.hidden}
    pages = {f"ictus-{name}.1": _page(command, f"ictus {name}", ("ictus",)) for name, command in shown_commands.items()}
    return {"ictus.1": _page(root, "ictus", tuple(f"ictus-{name}" for name in shown_commands)), **pages}


def _page(command: Any, name: str, others: tuple[str, ...]) -> str:
    """A page in the macros of man(7), groups with a section for each of their commands."""
    title = name.replace(" ", "-")
    summary, *paragraphs = (one_line(part) for part in (command.help or "").split("\n\n"))
    children: dict[str, Any] = {} if name == "ictus" else getattr(command, "commands", {})
    lines = [
        f'.TH "{roff(title.upper())}" "1" "" "Ictus {roff(version())}" "Ictus"',
        ".SH NAME",
        f"{roff(title)} \\- {roff(summary.rstrip('.'))}",
        ".SH SYNOPSIS",
        *_synopsis(command, name),
        ".SH DESCRIPTION",
        *_paragraphs((summary, *paragraphs)),
    ]
    if name == "ictus":
        lines += [".SH COMMANDS", *_entries((n, one_line(c.get_short_help_str(200))) for n, c in _visible(command))]
    lines += _parameters(command, name, ".SH")
    for word, child in children.items():
        parts = tuple(one_line(part) for part in (child.help or "").split("\n\n"))
        lines += [f'.SH "{roff(f"{name} {word}".upper())}"', *_synopsis(child, f"{name} {word}"), ".PP"]
        lines += [*_paragraphs(parts), *_parameters(child, f"{name} {word}", ".SS")]
    lines += [".SH EXIT STATUS", *_paragraphs((EPILOG.removeprefix("Exit codes: "),))]
    lines += [
        ".SH SEE ALSO",
        *(f".BR {roff(command_name)} (1)" + ("," if command_name != others[-1] else "") for command_name in others),
    ]
    return "\n".join(lines) + "\n"


def _visible(group: Any) -> Iterator[tuple[str, Any]]:
    return ((name, command) for name, command in group.commands.items() if not command.hidden)


def _synopsis(command: Any, name: str) -> Iterator[str]:
    yield f".B {roff(name)}"
    words = [argument_text(param) for param in command.params if param.param_type_name == "argument"]
    yield roff(" ".join(["COMMAND"] if hasattr(command, "commands") else ["[OPTIONS]", *words]))


def _paragraphs(parts: tuple[str, ...]) -> Iterator[str]:
    for index, part in enumerate(parts):
        if index:
            yield ".PP"
        yield roff(part)


def _parameters(command: Any, name: str, heading: str) -> Iterator[str]:
    arguments = [param for param in command.params if param.param_type_name == "argument"]
    options = [option for option in command.params if option.param_type_name == "option" and not option.hidden]
    if arguments:
        yield f"{heading} ARGUMENTS"
        yield from _entries((argument_text(argument), one_line(argument.help)) for argument in arguments)
    for group, group_options in grouped(name.removeprefix("ictus").lstrip(), options).items():
        yield f'{heading} "{"OPTIONS" if group == PLAIN else f"OPTIONS: {group.upper()}"}"'
        yield from _entries(
            (", ".join(option.opts) + metavar_text(option), _option_help(option)) for option in group_options
        )


def _option_help(option: Any) -> str:
    return one_line(option.help) + default_text(option).replace("`", "")


def _entries(entries: Any) -> Iterator[str]:
    for term, text in entries:
        yield ".TP"
        yield f".B {roff(term)}"
        yield roff(text)


def roff(text: str) -> str:
    """A text of one line as roff shows it word for word."""
    escaped = "".join(_SPECIAL.get(character, character) for character in text)
    return f"\\&{escaped}" if escaped.startswith(".") else escaped
