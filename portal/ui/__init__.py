"""What pages of every app share: charts, tables, pages of long lists, figures and states. Imports no app."""
