"""The application's style sheet, generated from the tokens."""

from __future__ import annotations

from desktop.theme.fonts import ASSETS
from desktop.theme.tokens import Theme

# Written with {token} places; doubled braces are the style sheet's own.
_TEMPLATE = """
QMainWindow, QDialog {{ background: {ground}; }}
QDialogButtonBox {{ dialogbuttonbox-buttons-have-icons: 0; }}
QToolTip {{
    background: {raised}; color: {text}; border: 1px solid {line};
    padding: {xs}px {s}px; font-size: {small}pt;
}}
*[role="title"] {{ font-size: {title}pt; font-weight: 600; }}
*[role="small"] {{ font-size: {small}pt; }}
*[role="muted"] {{ font-size: {small}pt; color: {muted}; }}
*[role="danger"] {{ color: {danger}; }}
*[role="warning"] {{ color: {warning}; }}
*[role="page"] {{ background: {page}; }}
*[role="raised"] {{
    background: {raised}; border: 1px solid {line}; border-radius: {radius}px;
}}
*[role="sidebar"] {{ background: {sidebar}; }}

QPushButton {{
    background: {raised}; border: 1px solid {line}; border-radius: {radius_small}px;
    padding: {xs}px {m}px; min-height: {control}px; outline: none;
}}
QPushButton:hover {{ background: {hover}; }}
QPushButton:pressed, QPushButton:checked {{ background: {pressed}; }}
QPushButton:focus {{ border: {ring}px solid {focus}; padding: {xs_in}px {m_in}px; }}
QPushButton:disabled {{ color: {faint}; }}
QPushButton[kind="primary"] {{
    background: {accent}; color: {on_accent}; border: 1px solid {accent}; font-weight: 600;
}}
QPushButton[kind="primary"]:hover {{ background: {accent_hover}; }}
QPushButton[kind="primary"]:focus {{ border: {ring}px solid {text}; }}
QPushButton[kind="primary"]:disabled {{
    background: {hover}; color: {faint}; border: 1px solid {hover};
}}
QPushButton[kind="danger"] {{ color: {danger}; }}
QPushButton[kind="chip"] {{
    background: {accent_soft}; border: 1px solid transparent; padding: 0px {s}px;
    font-size: {small}pt;
}}
QPushButton[kind="chip"]:hover {{ background: {hover}; }}
QPushButton[kind="chip"]:focus {{ border: {ring}px solid {accent}; }}
QPushButton[kind="quiet"], QToolButton {{
    background: transparent; border: 1px solid transparent;
    border-radius: {radius_small}px; padding: {xs}px;
}}
QPushButton[kind="quiet"] {{ padding: {xs}px {s}px; }}
QPushButton[kind="quiet"]:hover, QToolButton:hover {{ background: {hover}; }}
QPushButton[kind="quiet"]:pressed, QToolButton:pressed, QToolButton:checked {{
    background: {pressed};
}}
QPushButton[kind="quiet"]:focus {{
    border: {ring}px solid {focus}; padding: {xs_in}px {s_in}px;
}}
QToolButton:focus {{ border: {ring}px solid {focus}; padding: {xs_in}px; }}
QStatusBar QPushButton[kind="quiet"], QStatusBar QPushButton[kind="quiet"]:focus {{
    min-height: 0; padding: 0 {xs}px;
}}
QToolButton[kind="round"] {{
    background: {raised}; border: 1px solid {line}; border-radius: 18px;
}}
QToolButton[kind="round"]:hover {{ background: {hover}; }}
QToolButton::menu-indicator {{ image: none; }}

QLineEdit, QPlainTextEdit, QTextEdit, QComboBox, QSpinBox, QDoubleSpinBox {{
    background: {page}; border: 1px solid {line}; border-radius: {radius_small}px;
    padding: {xs}px {s}px; selection-background-color: {selection};
    selection-color: {text};
}}
QLineEdit:focus, QPlainTextEdit:focus, QTextEdit:focus, QComboBox:focus, QSpinBox:focus,
QDoubleSpinBox:focus {{ border: {ring}px solid {focus}; padding: {xs_in}px {s_in}px; }}
QComboBox::drop-down {{ border: none; width: {xl}px; }}
QComboBox::down-arrow {{
    image: url("{assets}/down-{ground_name}.svg"); width: {m}px; height: {m}px;
}}
QAbstractSpinBox QLineEdit {{ background: transparent; border: none; padding: 0; }}
QAbstractSpinBox::up-button, QAbstractSpinBox::down-button {{ border: none; width: {xl}px; }}
QAbstractSpinBox::up-arrow {{
    image: url("{assets}/up-{ground_name}.svg"); width: {m}px; height: {m}px;
}}
QAbstractSpinBox::down-arrow {{
    image: url("{assets}/down-{ground_name}.svg"); width: {m}px; height: {m}px;
}}
QComboBox QAbstractItemView {{
    background: {raised}; border: 1px solid {line}; selection-background-color: {hover};
    selection-color: {text};
}}

QAbstractScrollArea {{ background: transparent; border: none; }}
*[role="field"] {{
    background: {page}; border: 1px solid {line}; border-radius: {radius_small}px;
}}
*[role="field"]:focus {{ border: {ring}px solid {focus}; }}
*[role="reader"] {{ border: {ring}px solid transparent; border-radius: {radius_small}px; }}
*[role="reader"]:focus {{ border: {ring}px solid {focus}; }}
QListView, QTreeView {{ outline: none; }}
QListView::item, QTreeView::item {{
    padding: {xs}px {s}px; border-radius: {radius_small}px; border: 1px solid transparent;
}}
QListView::item:hover, QTreeView::item:hover {{
    background: {hover}; border: 1px solid {mark};
}}
QListView::item:selected, QTreeView::item:selected {{
    background: {accent_soft}; color: {text};
}}
QListView::item:focus, QTreeView::item:focus {{ border: {ring}px solid {focus}; }}

QScrollBar:vertical {{ background: transparent; width: {m}px; margin: 0; }}
QScrollBar:horizontal {{ background: transparent; height: {m}px; margin: 0; }}
QScrollBar::handle {{ background: {thumb}; border-radius: 3px; margin: 3px; }}
QScrollBar::handle:vertical {{ min-height: {xxl}px; }}
QScrollBar::handle:horizontal {{ min-width: {xxl}px; }}
QScrollBar::handle:hover {{ background: {faint}; }}
QScrollBar::add-line, QScrollBar::sub-line {{ width: 0; height: 0; }}
QScrollBar::add-page, QScrollBar::sub-page {{ background: transparent; }}

QHeaderView {{ background: {ground}; }}
QHeaderView::section {{
    background: {ground}; color: {muted}; border: none; padding: {xs}px {s}px;
}}

QTabWidget::pane {{ border: none; }}
QTabBar {{ background: {ground}; qproperty-drawBase: 0; }}
QTabBar::tab {{
    background: transparent; color: {muted}; border: none;
    border-bottom: 2px solid transparent; padding: {s}px {m}px;
}}
QTabBar::tab:hover {{ background: {hover}; color: {text}; }}
QTabBar::tab:selected {{
    background: {page}; color: {text}; border-bottom: 2px solid {accent};
}}
QTabBar::tab:focus {{ border-bottom: {tab_ring}px solid {focus}; background: {hover}; }}
QTabBar[pane="back"]::tab:selected {{ border-bottom: 2px solid {line}; }}

QMenuBar {{ background: {ground}; }}
QMenuBar::item {{ padding: {xs}px {s}px; background: transparent; }}
QMenuBar::item:selected {{ background: {hover}; border: 1px solid {mark}; }}
QMenu {{ background: {raised}; border: 1px solid {line}; padding: {xs}px; }}
QMenu::item {{
    padding: {xs}px {xl}px {xs}px {s}px; border-radius: {radius_small}px;
    border: 1px solid transparent;
}}
QMenu::item:selected {{ background: {hover}; border: 1px solid {mark}; }}
QMenu::item:disabled {{ color: {faint}; }}
QMenu::separator {{ height: 1px; background: {line}; margin: {xs}px {s}px; }}

QToolBar {{ background: {ground}; border: none; border-top: 1px solid {line}; padding: 0; }}
QStatusBar {{ background: {ground}; border-top: 1px solid {line}; }}
QStatusBar QLabel {{ font-size: {small}pt; color: {muted}; }}
QStatusBar::item {{ border: none; }}
QSplitter::handle {{ background: {line}; }}
QSplitter::handle:horizontal {{ width: 1px; }}
QSplitter::handle:vertical {{ height: 1px; }}
QProgressBar {{
    background: {hover}; border: none; border-radius: 2px; max-height: 4px; min-height: 4px;
}}
QCheckBox, QRadioButton {{ spacing: {s}px; padding: {xs}px; border: 1px solid transparent; }}
QCheckBox:focus, QRadioButton:focus {{
    border: {ring}px solid {focus}; border-radius: {radius_small}px; padding: {xs_in}px;
}}
QCheckBox::indicator, QRadioButton::indicator {{
    width: {m}px; height: {m}px; background: {page}; border: 1px solid {faint};
}}
QCheckBox::indicator {{ border-radius: {radius_small}px; }}
QRadioButton::indicator {{ border-radius: 7px; }}
QCheckBox::indicator:checked, QRadioButton::indicator:checked {{
    background: {accent}; border: 1px solid {accent};
}}
QCheckBox::indicator:checked {{ image: url("{assets}/check-{sign}.svg"); }}
QRadioButton::indicator:checked {{ image: url("{assets}/dot-{sign}.svg"); }}
QCheckBox:disabled, QRadioButton:disabled {{ color: {faint}; }}
QProgressBar::chunk {{ background: {accent}; border-radius: 2px; }}
"""


def build(theme: Theme) -> str:
    """The style sheet of `theme`."""
    space = theme.space
    more = theme.ring - 1  # a thick ring takes its room from the padding: nothing moves
    return _TEMPLATE.format(
        ground=theme.ground,
        sidebar=theme.sidebar,
        page=theme.page,
        raised=theme.raised,
        hover=theme.hover,
        pressed=theme.pressed,
        line=theme.line,
        mark=theme.mark,
        thumb=theme.thumb,
        focus=theme.mark if theme.ring > 1 else theme.accent,
        ring=theme.ring,
        tab_ring=max(2, theme.ring),
        xs_in=max(0, space.xs - more),
        s_in=space.s - more,
        m_in=space.m - more,
        assets=(ASSETS / "theme").as_posix(),
        ground_name="dark" if theme.is_dark else "light",
        sign="light" if theme.name == "light" else "dark",
        text=theme.text,
        muted=theme.muted,
        faint=theme.faint,
        accent=theme.accent,
        accent_hover=theme.accent_hover,
        on_accent=theme.on_accent,
        accent_soft=theme.accent_soft,
        selection=theme.selection,
        danger=theme.danger,
        warning=theme.warning,
        radius=theme.radius,
        radius_small=theme.radius_small,
        small=theme.small,
        title=theme.title,
        control=round(theme.body * 1.8),
        xs=space.xs,
        s=space.s,
        m=space.m,
        xl=space.xl,
        xxl=space.xxl,
    )
