"""Charts drawn by the server as SVG: pure functions of their data, without script or inline style.

Widths are shares of the figure and heights are pixels, so that letters keep their size on every screen.
"""

from core.html.charts.bars import Bar, bar_chart_svg, bar_chart_table
from core.html.charts.lines import Change, Point, Series, course_svg, rating_history_svg, rating_history_table

__all__ = [
    "Bar",
    "Change",
    "Point",
    "Series",
    "bar_chart_svg",
    "bar_chart_table",
    "course_svg",
    "rating_history_svg",
    "rating_history_table",
]
