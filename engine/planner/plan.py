"""Does a model fit, with which context and how many chats, and what would make it fit."""

from engine.planner.answer import Change, DeviceBudget, Plan, Problem, Wish
from engine.planner.planning import plan

__all__ = ["Change", "DeviceBudget", "Plan", "Problem", "Wish", "plan"]
