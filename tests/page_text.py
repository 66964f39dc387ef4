"""Pages as a reader sees their sentences: numbers beside their units, options without marks."""

import re


def read_aloud(html: str) -> str:
    """The page with plain blanks where a line may not break, nothing where it may, and options that are not marked as
    code.
    """
    return re.sub(
        r'<code class="option">(.*?)</code>', r"\1", html.replace("\N{NO-BREAK SPACE}", " ").replace("<wbr>", "")
    )
