"""What can be wrong with a file of chats, in the user's words."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QLocale, QObject

from desktop.chats.transfer.exporting import ExportReport
from desktop.chats.transfer.html_page import Colours
from desktop.chats.transfer.importing import ImportReport
from desktop.chats.transfer.labels import Labels
from desktop.chats.transfer.trouble import Problem, TransferError, Trouble
from desktop.theme.tokens import DARK, LIGHT, Theme

_TOKENS = ("page", "text", "muted", "line", "raised", "sunken", "accent")


class TransferWords(QObject):
    """Words for troubles and reports."""

    def labels(self) -> Labels:
        """The words of an exported file."""
        return Labels(
            user=self.tr("You"),
            assistant=self.tr("Assistant"),
            system=self.tr("System"),
            instructions=self.tr("System prompt"),
            reasoning=self.tr("Reasoning"),
            attached=self.tr("Attached: {name}"),
            model=self.tr("Model"),
            date=self.tr("Date"),
            chats=self.tr("Chats"),
            unfinished=self.tr("This answer was not finished."),
            language=QLocale().name().split("_")[0],
        )

    def trouble(self, trouble: Trouble, facts: dict[str, object]) -> str:
        """What is wrong, and what to do about it where something can be done."""
        words = self._of_file(trouble) or self._of_chat(trouble)
        known = {"path": "", "reason": "", "where": "", "name": "", "most": "", "megabytes": ""}
        shown = {
            name: QLocale().toString(value) if isinstance(value, int) else str(value)
            for name, value in facts.items()
        }
        return words.format(**(known | {"version": ""} | shown)).strip()

    def error(self, error: Exception) -> str:
        """Why it did not work."""
        if isinstance(error, TransferError):
            return self.trouble(error.trouble, error.facts)
        return str(error) or type(error).__name__

    def exported(self, report: ExportReport) -> str:
        """What was written, and where to."""
        words = self.tr("%n chat(s) written to {path}", "", report.written)
        return words.format(path=report.target)

    def imported(self, report: ImportReport) -> str:
        """What was taken over, and what was not."""
        lines = [self.tr("%n chat(s) imported.", "", report.imported)]
        if report.cancelled:
            lines.append(self.tr("You stopped it there. What was imported until then stays."))
        if report.present:
            lines.append(
                self.tr("%n chat(s) were here already and were not imported.", "", report.present)
            )
        if report.empty:
            lines.append(
                self.tr("%n chat(s) held no message and were passed over.", "", report.empty)
            )
        if report.failed:
            lines.append(self.tr("%n chat(s) could not be imported:", "", report.failed))
        if report.left_out:
            lines.insert(
                1,
                self.tr(
                    "%n picture(s) or file(s) are not in the export; a note stands in their place.",
                    "",
                    report.left_out,
                ),
            )
        return "\n".join(lines)

    def problems(self, problems: Sequence[Problem]) -> str:
        """One line for each."""
        return "\n".join(map(self._problem, problems))

    def _problem(self, problem: Problem) -> str:
        what = self.trouble(problem.trouble, problem.facts)
        if not problem.number:
            return what
        title = problem.title or self.tr("without a title")
        words = self.tr("No. {number}, “{title}”: {what}")
        number = QLocale().toString(problem.number)
        return words.format(number=number, title=" ".join(title.split()), what=what)

    def _of_file(self, trouble: Trouble) -> str:
        match trouble:
            case Trouble.NOT_FOUND:
                return self.tr("There is no file {path}.")
            case Trouble.UNREADABLE:
                return self.tr("{path} cannot be read: {reason}.")
            case Trouble.UNWRITABLE:
                return self.tr("{path} cannot be written: {reason}. Choose another place.")
            case Trouble.NOT_ALLOWED:
                return self.tr("You have no permission for {path}. Choose another place.")
            case Trouble.DISK_FULL:
                return self.tr(
                    "The disk is full, so nothing was written to {path}. Free some space, or "
                    "choose another place."
                )
            case Trouble.FILE_TOO_LARGE:
                return self.tr("The file is larger than {megabytes} MB; more is not read.")
            case Trouble.NOT_CHATS:
                return self.tr(
                    "This is neither a file of chats from Inglenook nor a ChatGPT export "
                    "(conversations.json, or the .zip that holds it)."
                )
            case Trouble.NEWER_FORMAT:
                return self.tr(
                    "The file was written by a newer Inglenook (format {version}). Update this one."
                )
            case Trouble.NO_CHATS_IN_ZIP:
                return self.tr("There is no conversations.json in this .zip file.")
            case Trouble.BAD_ZIP:
                return self.tr("The .zip file is damaged. Download or copy it again.")
            case Trouble.LOCKED_ZIP:
                return self.tr("The .zip file needs a password. Unpack it, then import the .json.")
            case Trouble.ZIP_BOMB:
                return self.tr(
                    "The .zip file unpacks to far more than chats ever do. It was not read."
                )
            case Trouble.TOO_MANY_CHATS:
                return self.tr("The file holds more than {most} chats. The others were not read.")
            case Trouble.CUT_OFF:
                return self.tr("The file ends in the middle. What stood before that was imported.")
        return ""

    def _of_chat(self, trouble: Trouble) -> str:
        match trouble:
            case Trouble.CHAT_TOO_LARGE:
                return self.tr("it is larger than {megabytes} MB")
            case Trouble.TOO_DEEP:
                return self.tr("it is nested deeper than {most} levels")
            case Trouble.TOO_MANY_PARTS:
                return self.tr("it has more than {most} parts")
            case Trouble.NOT_JSON:
                return self.tr("it is not valid JSON ({reason})")
            case Trouble.WRONG_TYPE:
                return self.tr("something is of the wrong kind: {where}")
            case Trouble.MISSING:
                return self.tr("something is missing: {where}")
            case Trouble.TWICE:
                return self.tr("something is there twice: {where}")
            case Trouble.NO_PARENT:
                return self.tr("a message answers one that is not there: {where}")
            case Trouble.CIRCLE:
                return self.tr("its messages follow each other in a circle: {where}")
            case Trouble.NO_MESSAGES:
                return self.tr("it has no messages")
            case Trouble.GONE:
                return self.tr("it was deleted meanwhile")
        return self.tr("it could not be saved: {reason}")


def colours() -> Colours:
    """The theme's colours for an exported page."""

    def tokens(theme: Theme) -> dict[str, str]:
        return {name: theme.colour(name).name() for name in _TOKENS}

    return Colours(tokens(LIGHT), tokens(DARK))
