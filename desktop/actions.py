"""Every action of the window, declared apart from the widgets that show it.

One table says what an action is called, which keys it has, in which menu it stands and
what must be there for it to make sense; the menus, the command palette, the wiring
(`views.window_wiring`) and the tests all read it. Qt's standard keys come first, so that
the platform's own habits hold.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from PySide6.QtGui import QKeySequence

from desktop.i18n import QT_TRANSLATE_NOOP

_Key = QKeySequence.StandardKey


class Menu(StrEnum):
    """The menus, in order."""

    FILE = QT_TRANSLATE_NOOP("Actions", "&File")
    MODELS = QT_TRANSLATE_NOOP("Actions", "M&odels")
    CHAT = QT_TRANSLATE_NOOP("Actions", "&Chat")
    MESSAGE = QT_TRANSLATE_NOOP("Actions", "&Message")
    VIEW = QT_TRANSLATE_NOOP("Actions", "&View")
    MONITOR = QT_TRANSLATE_NOOP("Actions", "Mo&nitor")
    HELP = QT_TRANSLATE_NOOP("Actions", "&Help")


class Need(StrEnum):
    """What must be there for an action to be enabled; it follows the tab in front."""

    NOTHING = "nothing"
    TAB = "tab"  # a tab is open
    STORE = "store"  # chats can be read and written
    CHAT = "chat"  # the tab's chat is kept in the store
    MESSAGES = "messages"  # the chat has some
    AT_REST = "at rest"  # the chat has messages and no answer is on its way
    ANSWER = "answer"  # the last message is an answer, and it has ended
    SIBLINGS = "siblings"  # some message of the chat has others beside it
    ACTIVE = "active"  # an answer is on its way
    TABS = "tabs"  # the pane in front has several tabs
    PANES = "panes"  # the window is split
    SPLITTABLE = "splittable"  # another pane fits in
    MODEL = "model"  # one is loaded, or is being loaded
    LOADED = "loaded"  # the window's own is, and no load of it is under way
    AWAKE = "awake"  # some model is loaded
    ASLEEP = "asleep"  # some model sleeps


@dataclass(frozen=True, slots=True)
class ActionSpec:
    """What an action is.

    Attributes:
        name: how the code calls it.
        text: the menu's text, with its access key; also the accessible name.
        menu: where it stands.
        keys: standard keys and texts like "Ctrl+B"; all of them work.
        tip: the status tip, if the text does not say it all.
        icon: a name of `views.icons` for the palette, or empty.
        group: actions of one group exclude each other.
        checkable: whether it is a switch.
        separator: whether a line stands above it.
        needs: what must be there for it to be enabled.
    """

    name: str
    text: str
    menu: Menu
    keys: tuple[_Key | str, ...] = ()
    tip: str = ""
    icon: str = ""
    group: str = ""
    checkable: bool = False
    separator: bool = False
    needs: Need = Need.NOTHING


_FILE: Final = (
    ActionSpec(
        "new_chat",
        QT_TRANSLATE_NOOP("Actions", "&New chat"),
        Menu.FILE,
        (_Key.New, _Key.AddTab),
        icon="plus",
    ),
    ActionSpec(
        "close_tab",
        QT_TRANSLATE_NOOP("Actions", "&Close tab"),
        Menu.FILE,
        ("Ctrl+W",),
        icon="close",
        needs=Need.TAB,
    ),
    ActionSpec(
        "import_chats",
        QT_TRANSLATE_NOOP("Actions", "&Import chats…"),
        Menu.FILE,
        (),
        QT_TRANSLATE_NOOP("Actions", "Take chats from an export of this program or of ChatGPT"),
        separator=True,
        needs=Need.STORE,
    ),
    ActionSpec(
        "export_chat",
        QT_TRANSLATE_NOOP("Actions", "&Export this chat…"),
        Menu.FILE,
        ("Ctrl+S",),
        QT_TRANSLATE_NOOP("Actions", "Write this chat to a file: Markdown, JSON or HTML"),
        needs=Need.CHAT,
    ),
    ActionSpec(
        "export_all",
        QT_TRANSLATE_NOOP("Actions", "Export &all chats…"),
        Menu.FILE,
        (),
        QT_TRANSLATE_NOOP("Actions", "Write all chats to files"),
        needs=Need.STORE,
    ),
    ActionSpec(
        "settings",
        QT_TRANSLATE_NOOP("Actions", "&Settings…"),
        Menu.FILE,
        ("Ctrl+,",),
        icon="settings",
        separator=True,
    ),
    ActionSpec(
        "quit",
        QT_TRANSLATE_NOOP("Actions", "&Quit"),
        Menu.FILE,
        (_Key.Quit, "Ctrl+Q"),
        separator=True,
    ),
)

_MODELS: Final = (
    ActionSpec(
        "find_models",
        QT_TRANSLATE_NOOP("Actions", "&Find models…"),
        Menu.MODELS,
        ("Ctrl+M",),
        QT_TRANSLATE_NOOP("Actions", "Search the hub for models that run on this computer"),
        icon="discover",
    ),
    ActionSpec(
        "installed_models",
        QT_TRANSLATE_NOOP("Actions", "&Installed models…"),
        Menu.MODELS,
        (),
        QT_TRANSLATE_NOOP("Actions", "What is on this computer, what it takes, and what to do"),
        icon="shelf",
    ),
    ActionSpec(
        "downloads",
        QT_TRANSLATE_NOOP("Actions", "&Downloads…"),
        Menu.MODELS,
        (),
        QT_TRANSLATE_NOOP("Actions", "Models on their way here: how far, how long, pause, cancel"),
        icon="download",
    ),
    ActionSpec(
        "load_model",
        QT_TRANSLATE_NOOP("Actions", "&Load a model folder…"),
        Menu.MODELS,
        (_Key.Open,),
        QT_TRANSLATE_NOOP("Actions", "Choose the folder of a model on this computer"),
        icon="folder",
        separator=True,
    ),
    ActionSpec(
        "load_gguf",
        QT_TRANSLATE_NOOP("Actions", "Load a &GGUF file…"),
        Menu.MODELS,
        (),
        QT_TRANSLATE_NOOP("Actions", "Choose a model on this computer that is a single file"),
    ),
    ActionSpec(
        "recent_models",
        QT_TRANSLATE_NOOP("Actions", "Load a &recent model…"),
        Menu.MODELS,
        (),
        QT_TRANSLATE_NOOP("Actions", "One of the models loaded before, with its settings then"),
    ),
    ActionSpec(
        "load_settings",
        QT_TRANSLATE_NOOP("Actions", "How the model is l&oaded…"),
        Menu.MODELS,
        ("Ctrl+Shift+O",),
        QT_TRANSLATE_NOOP("Actions", "GPUs, context and memory of the model, and what fits"),
    ),
    ActionSpec(
        "about_load",
        QT_TRANSLATE_NOOP("Actions", "A&bout this load…"),
        Menu.MODELS,
        (),
        QT_TRANSLATE_NOOP("Actions", "The plan beside what the engine reported, stage by stage"),
        needs=Need.LOADED,
    ),
    ActionSpec(
        "unload_model",
        QT_TRANSLATE_NOOP("Actions", "&Unload the model"),
        Menu.MODELS,
        (),
        QT_TRANSLATE_NOOP("Actions", "Give the model's memory back"),
        separator=True,
        needs=Need.MODEL,
    ),
    ActionSpec(
        "sleep_models",
        QT_TRANSLATE_NOOP("Actions", "&Put the models to sleep"),
        Menu.MODELS,
        ("Ctrl+Shift+L",),
        QT_TRANSLATE_NOOP(
            "Actions", "Their memory is free for other programs until the next message"
        ),
        needs=Need.AWAKE,
    ),
    ActionSpec(
        "wake_model",
        QT_TRANSLATE_NOOP("Actions", "Wa&ke the models"),
        Menu.MODELS,
        (),
        QT_TRANSLATE_NOOP("Actions", "Take the memory back, without waiting for a message"),
        needs=Need.ASLEEP,
    ),
    ActionSpec(
        "quantize_model",
        QT_TRANSLATE_NOOP("Actions", "Quan&tise a model…"),
        Menu.MODELS,
        (),
        QT_TRANSLATE_NOOP("Actions", "Make a 4-bit model (AWQ) of one on this computer"),
        separator=True,
    ),
)

_CHAT: Final = (
    ActionSpec(
        "focus_composer",
        QT_TRANSLATE_NOOP("Actions", "&Write a message"),
        Menu.CHAT,
        ("Ctrl+L",),
        icon="edit",
        needs=Need.TAB,
    ),
    ActionSpec(
        "attach_file",
        QT_TRANSLATE_NOOP("Actions", "&Attach a text file…"),
        Menu.CHAT,
        ("Ctrl+Shift+A",),
        needs=Need.TAB,
    ),
    ActionSpec(
        "stop",
        QT_TRANSLATE_NOOP("Actions", "&Stop the answer"),
        Menu.CHAT,
        ("Esc",),
        icon="stop",
        needs=Need.ACTIVE,
    ),
    ActionSpec(
        "chat_model",
        QT_TRANSLATE_NOOP("Actions", "M&odel of this chat…"),
        Menu.CHAT,
        ("Ctrl+Shift+M",),
        QT_TRANSLATE_NOOP("Actions", "Which model answers here; others can be loaded beside"),
        icon="cpu",
        needs=Need.CHAT,
    ),
    ActionSpec(
        "chat_settings",
        QT_TRANSLATE_NOOP("Actions", "Settin&gs of this chat…"),
        Menu.CHAT,
        ("Ctrl+Shift+P",),
        QT_TRANSLATE_NOOP("Actions", "System prompt, sampling, presets and limits of this chat"),
        needs=Need.CHAT,
    ),
    ActionSpec(
        "rename_chat",
        QT_TRANSLATE_NOOP("Actions", "&Rename…"),
        Menu.CHAT,
        ("F2",),
        separator=True,
        needs=Need.CHAT,
    ),
    ActionSpec(
        "pin_chat",
        QT_TRANSLATE_NOOP("Actions", "P&in or unpin"),
        Menu.CHAT,
        ("Ctrl+D",),
        QT_TRANSLATE_NOOP("Actions", "Keep this chat at the top of the list, or no longer"),
        icon="pin",
        needs=Need.CHAT,
    ),
    ActionSpec(
        "move_to_folder",
        QT_TRANSLATE_NOOP("Actions", "&Move to a folder…"),
        Menu.CHAT,
        (),
        needs=Need.CHAT,
    ),
    ActionSpec(
        "archive_chat",
        QT_TRANSLATE_NOOP("Actions", "Archi&ve or take back"),
        Menu.CHAT,
        (),
        QT_TRANSLATE_NOOP("Actions", "Put this chat out of the way, or back into the list"),
        needs=Need.CHAT,
    ),
    ActionSpec(
        "delete_chat",
        QT_TRANSLATE_NOOP("Actions", "&Delete the chat"),
        Menu.CHAT,
        ("Ctrl+Shift+D",),
        icon="trash",
        needs=Need.CHAT,
    ),
    ActionSpec(
        "show_bin",
        QT_TRANSLATE_NOOP("Actions", "Deleted c&hats…"),
        Menu.CHAT,
        (),
        QT_TRANSLATE_NOOP("Actions", "Take deleted chats back, or erase them for good"),
        needs=Need.STORE,
    ),
    ActionSpec(
        "next_tab",
        QT_TRANSLATE_NOOP("Actions", "Ne&xt tab"),
        Menu.CHAT,
        ("Ctrl+Tab", "Ctrl+PgDown"),
        separator=True,
        needs=Need.TABS,
    ),
    ActionSpec(
        "previous_tab",
        QT_TRANSLATE_NOOP("Actions", "&Previous tab"),
        Menu.CHAT,
        ("Ctrl+Shift+Tab", "Ctrl+PgUp"),
        needs=Need.TABS,
    ),
)

_MESSAGE: Final = (
    ActionSpec(
        "edit_last",
        QT_TRANSLATE_NOOP("Actions", "&Edit the last message you wrote"),
        Menu.MESSAGE,
        ("Ctrl+E",),
        icon="edit",
        needs=Need.AT_REST,
    ),
    ActionSpec(
        "regenerate",
        QT_TRANSLATE_NOOP("Actions", "&Regenerate the answer"),
        Menu.MESSAGE,
        ("Ctrl+R",),
        QT_TRANSLATE_NOOP("Actions", "Ask again; the answer there is stays beside the new one"),
        icon="retry",
        needs=Need.AT_REST,
    ),
    ActionSpec(
        "continue_answer",
        QT_TRANSLATE_NOOP("Actions", "&Continue the answer"),
        Menu.MESSAGE,
        ("Ctrl+Shift+Return",),
        icon="continue",
        needs=Need.ANSWER,
    ),
    ActionSpec(
        "answer_ways",
        QT_TRANSLATE_NOOP("Actions", "Answer four &ways"),
        Menu.MESSAGE,
        ("Ctrl+Shift+R",),
        QT_TRANSLATE_NOOP("Actions", "Four answers side by side; pick the one to go on from"),
        needs=Need.AT_REST,
    ),
    ActionSpec(
        "answer_with",
        QT_TRANSLATE_NOOP("Actions", "Answer again with another &model…"),
        Menu.MESSAGE,
        ("Ctrl+Alt+R",),
        QT_TRANSLATE_NOOP("Actions", "Both answers side by side, each with its model's name"),
        needs=Need.ANSWER,
    ),
    ActionSpec(
        "previous_sibling",
        QT_TRANSLATE_NOOP("Actions", "&Previous version"),
        Menu.MESSAGE,
        ("Alt+Left",),
        separator=True,
        needs=Need.SIBLINGS,
    ),
    ActionSpec(
        "next_sibling",
        QT_TRANSLATE_NOOP("Actions", "&Next version"),
        Menu.MESSAGE,
        ("Alt+Right",),
        needs=Need.SIBLINGS,
    ),
    ActionSpec(
        "fork_chat",
        QT_TRANSLATE_NOOP("Actions", "&Fork into a new chat"),
        Menu.MESSAGE,
        ("Ctrl+Shift+N",),
        QT_TRANSLATE_NOOP("Actions", "Copy the chat up to this message into a new tab"),
        separator=True,
        needs=Need.AT_REST,
    ),
    ActionSpec(
        "quote_selection",
        QT_TRANSLATE_NOOP("Actions", "&Quote in the reply"),
        Menu.MESSAGE,
        ("Ctrl+Shift+Q",),
        QT_TRANSLATE_NOOP("Actions", "Begin a reply to the selected text, or to the last answer"),
        needs=Need.MESSAGES,
    ),
    ActionSpec(
        "message_details",
        QT_TRANSLATE_NOOP("Actions", "&Details…"),
        Menu.MESSAGE,
        ("Ctrl+I",),
        QT_TRANSLATE_NOOP("Actions", "Model, tokens, speed, seed and why the answer ended"),
        needs=Need.MESSAGES,
    ),
    ActionSpec(
        "delete_last",
        QT_TRANSLATE_NOOP("Actions", "De&lete the last message"),
        Menu.MESSAGE,
        (),
        icon="trash",
        separator=True,
        needs=Need.AT_REST,
    ),
)

_VIEW: Final = (
    ActionSpec(
        "palette",
        QT_TRANSLATE_NOOP("Actions", "C&ommands…"),
        Menu.VIEW,
        ("Ctrl+K",),
        QT_TRANSLATE_NOOP("Actions", "Find any command or chat by typing a part of its name"),
    ),
    ActionSpec(
        "search",
        QT_TRANSLATE_NOOP("Actions", "&Find in all chats"),
        Menu.VIEW,
        ("Ctrl+Shift+F",),
        icon="search",
    ),
    ActionSpec(
        "toggle_sidebar",
        QT_TRANSLATE_NOOP("Actions", "Show the &sidebar"),
        Menu.VIEW,
        ("Ctrl+B",),
        checkable=True,
    ),
    ActionSpec(
        "split_right",
        QT_TRANSLATE_NOOP("Actions", "Split to the &right"),
        Menu.VIEW,
        ("Ctrl+\\", "F7"),
        QT_TRANSLATE_NOOP("Actions", "Move this tab into a pane of its own at the right"),
        separator=True,
        needs=Need.SPLITTABLE,
    ),
    ActionSpec(
        "split_down",
        QT_TRANSLATE_NOOP("Actions", "Split do&wn"),
        Menu.VIEW,
        ("F8",),
        QT_TRANSLATE_NOOP("Actions", "Move this tab into a pane of its own below"),
        needs=Need.SPLITTABLE,
    ),
    ActionSpec(
        "focus_next_pane",
        QT_TRANSLATE_NOOP("Actions", "Go to the ne&xt pane"),
        Menu.VIEW,
        ("F6",),
        needs=Need.PANES,
    ),
    ActionSpec(
        "focus_previous_pane",
        QT_TRANSLATE_NOOP("Actions", "Go to the pre&vious pane"),
        Menu.VIEW,
        ("Shift+F6",),
        needs=Need.PANES,
    ),
    ActionSpec(
        "move_to_next_pane",
        QT_TRANSLATE_NOOP("Actions", "Move the tab to the next &pane"),
        Menu.VIEW,
        ("Ctrl+Shift+F6",),
        needs=Need.PANES,
    ),
    ActionSpec(
        "close_pane",
        QT_TRANSLATE_NOOP("Actions", "&Close the pane"),
        Menu.VIEW,
        ("Ctrl+Shift+W",),
        QT_TRANSLATE_NOOP("Actions", "Its tabs go to the pane beside it"),
        needs=Need.PANES,
    ),
    ActionSpec(
        "theme_system",
        QT_TRANSLATE_NOOP("Actions", "Colours as the s&ystem"),
        Menu.VIEW,
        group="theme",
        checkable=True,
        separator=True,
    ),
    ActionSpec(
        "theme_light",
        QT_TRANSLATE_NOOP("Actions", "&Light"),
        Menu.VIEW,
        group="theme",
        checkable=True,
    ),
    ActionSpec(
        "theme_dark",
        QT_TRANSLATE_NOOP("Actions", "&Dark"),
        Menu.VIEW,
        group="theme",
        checkable=True,
    ),
    ActionSpec(
        "theme_contrast",
        QT_TRANSLATE_NOOP("Actions", "&High contrast"),
        Menu.VIEW,
        group="theme",
        checkable=True,
    ),
    ActionSpec(
        "font_larger",
        QT_TRANSLATE_NOOP("Actions", "L&arger text"),
        Menu.VIEW,
        (_Key.ZoomIn, "Ctrl+="),
        separator=True,
    ),
    ActionSpec(
        "font_smaller", QT_TRANSLATE_NOOP("Actions", "S&maller text"), Menu.VIEW, (_Key.ZoomOut,)
    ),
    ActionSpec("font_normal", QT_TRANSLATE_NOOP("Actions", "&Normal text"), Menu.VIEW, ("Ctrl+0",)),
    ActionSpec(
        "send_enter",
        QT_TRANSLATE_NOOP("Actions", "&Enter sends, Shift+Enter starts a new line"),
        Menu.VIEW,
        group="send",
        checkable=True,
        separator=True,
    ),
    ActionSpec(
        "send_ctrl_enter",
        QT_TRANSLATE_NOOP("Actions", "C&trl+Enter sends, Enter starts a new line"),
        Menu.VIEW,
        group="send",
        checkable=True,
    ),
)

_MONITOR: Final = (
    ActionSpec(
        "toggle_monitor",
        QT_TRANSLATE_NOOP("Actions", "&Show the monitor"),
        Menu.MONITOR,
        ("F9",),
        QT_TRANSLATE_NOOP("Actions", "GPUs, KV cache, throughput and every chat's share, live"),
        icon="monitor",
        checkable=True,
    ),
    ActionSpec(
        "monitor_window",
        QT_TRANSLATE_NOOP("Actions", "In a &window of its own"),
        Menu.MONITOR,
        ("Shift+F9",),
        QT_TRANSLATE_NOOP("Actions", "Take the monitor out of this window, or back into it"),
        icon="detach",
        checkable=True,
    ),
    ActionSpec(
        "monitor_pause",
        QT_TRANSLATE_NOOP("Actions", "&Freeze the monitor"),
        Menu.MONITOR,
        ("Ctrl+F9",),
        QT_TRANSLATE_NOOP("Actions", "What is shown stands still; readings go on"),
        icon="pause",
        checkable=True,
        separator=True,
    ),
    ActionSpec(
        "monitor_record",
        QT_TRANSLATE_NOOP("Actions", "&Record the monitor…"),
        Menu.MONITOR,
        (),
        QT_TRANSLATE_NOOP("Actions", "Keep all readings in a file, or end that"),
        icon="record",
        checkable=True,
    ),
    ActionSpec(
        "monitor_open",
        QT_TRANSLATE_NOOP("Actions", "&Open a recording…"),
        Menu.MONITOR,
        (),
        QT_TRANSLATE_NOOP("Actions", "Show a recording in the monitor, moment by moment"),
        icon="folder",
    ),
    ActionSpec(
        "monitor_picture",
        QT_TRANSLATE_NOOP("Actions", "Export a &picture of the monitor…"),
        Menu.MONITOR,
        (),
        icon="download",
        separator=True,
    ),
    ActionSpec(
        "monitor_histories",
        QT_TRANSLATE_NOOP("Actions", "Export the &histories as a table…"),
        Menu.MONITOR,
        (),
        QT_TRANSLATE_NOOP("Actions", "Five minutes of every reading, as CSV"),
    ),
    ActionSpec(
        "monitor_chats",
        QT_TRANSLATE_NOOP("Actions", "Export the chats' &blocks as a table…"),
        Menu.MONITOR,
        (),
        QT_TRANSLATE_NOOP("Actions", "What each chat holds of the KV cache, as CSV"),
    ),
    ActionSpec(
        "monitor_alerts",
        QT_TRANSLATE_NOOP("Actions", "A&lerts…"),
        Menu.MONITOR,
        (),
        QT_TRANSLATE_NOOP("Actions", "What is watched, and from where on it is told"),
        icon="bell",
        separator=True,
    ),
)

_HELP: Final = (
    ActionSpec("show_log", QT_TRANSLATE_NOOP("Actions", "Engine &log"), Menu.HELP),
    ActionSpec(
        "check_machine",
        QT_TRANSLATE_NOOP("Actions", "&Check this machine…"),
        Menu.HELP,
        (),
        QT_TRANSLATE_NOOP("Actions", "Driver, engine, disk, folders, chats and starter model"),
    ),
    ActionSpec(
        "about", QT_TRANSLATE_NOOP("Actions", "&About Inglenook"), Menu.HELP, separator=True
    ),
)

ACTIONS: Final = (*_FILE, *_MODELS, *_CHAT, *_MESSAGE, *_VIEW, *_MONITOR, *_HELP)
