"""Generate the rulebook as Markdown from the text catalogue alone."""

import re
from pathlib import Path

from babel.messages.pofile import read_po

from docs.generate.arguments import parse_path

CATALOGUE = Path("firmware/texts/locale/en/LC_MESSAGES/oxeye.po")
RULE_REFERENCE = re.compile(r"\b[RNPHAGS]-[0-9]+\b")


def format_rulebook(source: Path = CATALOGUE) -> str:
    """Markdown: a chapter for each game, an anchor for each rule, in the order of the catalogue."""
    with source.open("rb") as po:
        texts = {message.id: str(message.string) for message in read_po(po) if isinstance(message.id, str)}
    page = [f"# {texts['rulebook.title']}", texts["rulebook.intro"], texts["rulebook.words"]]
    rules = [text_id.removeprefix("rule.") for text_id in texts if text_id.startswith("rule.")]
    chapters = dict.fromkeys(rule[0] for rule in rules)
    page.append("\n".join(f"- [{texts[f'rulebook.{c}']}](#{c.lower()})" for c in chapters))
    for chapter in chapters:
        page.append(f'<a id="{chapter.lower()}"></a>\n\n## {texts[f"rulebook.{chapter}"]}')
        for rule in (rule for rule in rules if rule[0] == chapter):
            if heading := texts.get(f"rulebook.{rule}"):
                page.append(f"### {heading}")
            told = RULE_REFERENCE.sub(lambda m: f"[{m[0]}](#{m[0].lower()})", texts[f"rule.{rule}"])
            page.append(f'<a id="{rule.lower()}"></a>**{rule} {texts[f"rule_title.{rule}"]}.** {told}')
    return "\n\n".join(page) + "\n"


if __name__ == "__main__":
    parse_path(__doc__).write_text(format_rulebook(), encoding="utf-8")
