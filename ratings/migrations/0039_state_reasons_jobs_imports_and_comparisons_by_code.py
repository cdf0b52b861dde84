import re

from django.db import migrations

from players.migrations._stored_sentences import batches, recogniser, state_texts

REASONS = {
    "death": "Death recorded (article 9.2).",
    "shipped": "The portal comes with this text.",
    "standard-late": "The standard list of %(date)s was late (article 7.2.1, decision D-77).",
    "fide-corrected": "FIDE corrected its %(kind)s list of %(date)s (decision D-125).",
}
SENTENCES = {
    "list-date-6.1": "The date of a list must be the first of a month (article 6.1).",
    "future-list-D-70": "%(date)s is later than today, %(today)s.",
    "from-its-day": "From 00:00 UTC of that day on, the list can be imported or published.",
    "probably-meant": "You probably mean %(meant)s.",
    "no-rules-D-13": "No text of the regulations is in effect on %(date)s (decision D-13).",
    "later-list-published": (
        "The %(kind)s list of %(date)s cannot be published because the later list of %(later)s already exists."
    ),
    "no-list-before-D-71": (
        "No %(kind)s list exists before %(date)s. Import the FIDE list of the previous month first."
    ),
    "month-missing-D-71": (
        "The %(kind)s list of %(date)s cannot be published yet because the list of %(missing)s is missing. Publish the "
        "missing months first, starting with the oldest."
    ),
    "heading-contradicts-D-72": ("The heading of the file says %(sign)s, but the date given is %(date)s."),
    "name-says-month": ("The file name “%(name)s” says %(month)s, but the date given is %(date)s."),
    "name-says-kind": ("The file name “%(name)s” says %(named)s, but the rating type given is %(kind)s."),
    "reports-contained": (
        "Reports that the %(kind)s list of FIDE of %(date)s contains, so that no other list includes them: %(events)s "
        "(decision D-142)."
    ),
    "reports-wait": (
        "Accepted reports that the %(kind)s list of FIDE of %(date)s does not contain, so that the next list includes "
        "them: %(events)s (decision D-142)."
    ),
    "not-waiting-D-142": "No accepted report of %(event)s waits for the list of %(date)s.",
    "published-D-11": ("The %(kind)s list of %(date)s was published by the portal and cannot be changed."),
    "later-published-D-11": (
        "The portal has already published the %(kind)s list of %(later)s, which follows the list of %(date)s."
    ),
    "rated-by-it-D-11": (
        "Tournaments are already rated with the %(kind)s list of %(date)s from another file, so it cannot be replaced."
    ),
    "most-unreadable": ("Most lines of the file cannot be read. The first is line %(line)d: %(reason)s"),
    "many-skipped-D-119": (
        "%(skipped)d of %(all)d records cannot be read, which is more than one in a thousand. The first is line "
        "%(line)d: %(reason)s Correct the file, or give a reason to import the others (decision D-119)."
    ),
    "no-player": "No player in the file could be read. Nothing was imported.",
    "kept-for-comparison": (
        "The portal publishes the %(kind)s lists. The FIDE list of %(date)s is kept for comparison and is not in "
        "effect."
    ),
    "later-imported": (
        "A later list was already imported. New players are added, existing players do not change."
    ),
    "standard-corrects": (
        "The standard list of %(date)s was late. The next list corrects %(event)s for %(number)d players."
    ),
    "list-corrects": (
        "The %(kind)s list of %(date)s is in use. The next list corrects it for %(number)d players (decision D-125)."
    ),
    "federation-created": ("The federation %(federation)s is unknown and is added as a member. Enter its name."),
    "merged-skipped": (
        "%(merged)s was merged into %(successor)s, who is on the list. The duplicate was skipped."
    ),
    "merged-rated": "%(merged)s was merged into %(successor)s, who received the ratings.",
    "ends-early-D-137": (
        "The file ends within line %(line)d, so that players may be missing. Download it again, or give a reason to "
        "import what it has (decision D-137)."
    ),
    "incomplete-D-137": (
        "The %(kind)s list of %(date)s lacks %(absent)d of the %(before)d players who were on the list of "
        "%(previous)s. Download the file again, or give a reason to import it (decision D-137)."
    ),
    "no-such-list": "The file has no %(kind)s list.",
    "no-ratings": "The file has no %(kind)s ratings.",
    "file-restored": "The file %(path)s was different and has been restored.",
    "file-lost": "The file %(path)s is different, and the entries give different bytes.",
    "worker-died": ("The worker stopped at each attempt, for example because it ran out of memory."),
    "log-differs": "The audit log is not the one that the manifest of the list %(list)s names.",
    "damaged": "The file is damaged or incomplete (%(error)s). Download it again.",
    "too-large": ("The uncompressed file is larger than any rating list, so it cannot be imported."),
    "too-slow": "Reading a file of this size took over %(seconds)s s and was stopped.",
    "unopened": "The file cannot be opened (%(error)s).",
    "compression-unknown": "The ZIP file does not use deflate compression. Compress it again.",
    "zip-without-list": "The ZIP file contains no .txt or .xml file.",
    "zip-of-several": ("The ZIP file contains %(number)s lists (%(names)s). Unpack it and use one."),
    "columns-unknown": (
        "The columns of this list are not those of FIDE lists since 2013. Download the combined, standard, rapid or "
        "blitz list again."
    ),
    "kind-unknown": "No list has the rating type %(type)s. Valid types: %(types)s.",
    "not-utf-8": "The encoding of the file is %(encoding)s. Save it as UTF-8.",
    "federation-download": (
        "This is the player download of a federation, which has no games and no K-factor. Use the rating list from the "
        "download page."
    ),
    "kind-missing": "This list has one rating type. Enter it: %(types)s.",
    "empty": "The file is empty.",
    "web-page": "This is a web page, not a rating list. Open the page and download the list.",
    "document-type": (
        "The file declares a document type, so it cannot be imported. FIDE lists do not have one."
    ),
    "tournament-report": "This is a tournament report (TRF), not a rating list.",
    "not-a-list": (
        "This is not a FIDE rating list. A TXT list starts with 'ID Number', an XML list with <playerslist>."
    ),
    "line-width": "The line has %(number)s characters, not %(width)s.",
    "element-long": "The player element is longer than %(number)s characters.",
    "element-malformed": "The player element is not well-formed XML (%(error)s).",
    "id-not-digits": "The ID number %(text)s is not a number of digits.",
    "id-too-large": "The ID number %(text)s is too large.",
    "name-long": "The name is longer than %(number)s characters.",
    "name-bytes": "The name has characters that are not UTF-8 or Windows-1252.",
    "titles": "%(text)s is not a list of titles.",
    "arena-title": "%(text)s is not an arena title (%(titles)s).",
    "birth-year": "%(text)s is not a year of birth.",
    "flag": "The flag %(text)s is not valid. Valid flags: i, w, wi.",
    "federation-code": "%(text)s is not a federation code of 3 capital letters.",
    "sex": "The sex %(text)s is not M or F.",
    "title": "%(text)s is not a title.",
    "not-a-number": "%(text)s is not a number.",
    "number-too-large": "%(number)s is more than %(limit)s.",
    "again": "The ID number %(fide_id)d appears more than once. The first record is used.",
    "element-cut": "This is not a complete player element.",
    "line-cut": "The file ends within this line. It may be incomplete.",
    "end-missing": "The file ends before </playerslist>. It may be incomplete.",
}
LIKELY = {
    "name": "Name: a spelling or a change of name that only one side has.",
    "federation": "Federation: a transfer that only one side has.",
    "sex": "Sex: the recorded data differ.",
    "title": "Title: a title that only one side has.",
    "birth_year": "Year of birth: the recorded data differ.",
    "inactive": "Activity: a game in the last 12 lists that only one side has.",
    "k-by-birth": "K-factor: the year of birth differs.",
    "k-by-count": "K-factor: rated games or highest ratings are counted differently.",
    "missing-there": "Tournaments missing at FIDE: %(events)s.",
    "missing-here": "A tournament with %(games)d games is missing in the portal.",
    "corrected": "The portal has a correction on this list (decision D-11).",
    "carried": "The previous list already had this difference, and so has the change.",
    "rounding": "Rounding.",
    "other-k": "K-factor: the change is the same with another K.",
    "other-result": "A result or an opponent's rating differs, or FIDE made a correction.",
    "removed-there": "Removed by FIDE: death, exclusion, or a rating below the minimum.",
    "new-here": "New in the portal: an initial rating that FIDE does not have.",
    "removed-here": (
        "Removed by the portal: death, exclusion, merged FIDE ID, or a rating below the minimum."
    ),
    "new-there": "New at FIDE: a player or an initial rating that the portal does not have.",
}
# Errors of the portal, whose sentences had the name of the error before them.
OWN_ERRORS = ("RefusedError: ", "NotAsPublishedError: ", "FideListError: ")


def state_reasons(apps, schema_editor):
    for name in ("Adoption", "Correction"):
        state_texts(apps.get_model("ratings", name).objects.all(), "reason", recogniser(REASONS))


def state_jobs(apps, schema_editor):
    recognise = recogniser(SENTENCES)

    def state(error):
        own = next((name for name in OWN_ERRORS if error.startswith(name)), "")
        parts = [(recognise(part), part) for part in re.split(r"(?<=\.); ", error.removeprefix(own))]
        if not own and not all(items for items, _part in parts):
            return None
        return [item for items, part in parts for item in items or [{"words": part}]]

    state_texts(apps.get_model("ratings", "Run").objects.all(), "error", state)


def state_imports(apps, schema_editor):
    items_of = _items_by(SENTENCES)
    rows = apps.get_model("ratings", "FideImport").objects.order_by("pk")
    for some in batches(rows.only("pk", "preview", "result", "refusals"), 50):
        for row in some:
            row.refusals = list(map(items_of, row.refusals))
            for found in filter(None, (row.preview, row.result)):
                found["notices"] = list(map(items_of, found.get("notices", ())))
                for problem in found.get("problems", ()):
                    problem["message"] = items_of(problem["message"])
            row.save(update_fields=["preview", "result", "refusals"])


def state_comparisons(apps, schema_editor):
    items_of = _items_by(LIKELY)
    rows = apps.get_model("ratings", "Comparison").objects.order_by("pk")
    # One may have a hundred thousand differences.
    for some in batches(rows.only("pk", "result", "settled"), 1):
        for row in some:
            sorts = (row.result.get(name, ()) for name in ("different", "only_here", "only_there"))
            for differences in (*sorts, row.settled):
                for difference in differences:
                    difference["reason"] = items_of(difference["reason"])
            row.save(update_fields=["result", "settled"])


def _items_by(templates):
    recognise = recogniser(templates)
    # What was stated before, by a run that was stopped, is no text any more.
    return lambda text: (recognise(text) or [{"words": text}]) if isinstance(text, str) else text


class Migration(migrations.Migration):
    # In batches, each on its own: a second run does the rest.
    atomic = False

    dependencies = [
        ("players", "0034_state_failures_by_code"),
        ("ratings", "0038_keep_what_the_portal_states_of_jobs"),
    ]

    operations = [
        migrations.RunPython(state, migrations.RunPython.noop)
        for state in (state_reasons, state_jobs, state_imports, state_comparisons)
    ]
