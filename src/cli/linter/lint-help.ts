export const lintHelp = `Usage: build-service lint [options] [FILE…]

Checks build files: what the service would report, and advice on what it accepts.
Without FILE it takes the nearest .service.yml, in this folder or above it in the repository.
FILE may be a folder, which is searched, or - for standard input. Nothing is sent anywhere.

Options:
  -f, --format <name>  text, json, sarif, github (annotations of a workflow) or checkstyle
      --fix            write the fixes that leave nothing to decide into the file; from standard
                       input to standard output, with the findings on standard error
      --unsafe         with --fix: also fixes that change the jobs; look at them with expand
      --strict         fail because of notes and advice too, and note which defaults are used
      --no-advice      report only what the service itself would
      --rule <code>    report and fix only this (repeat it for more); <code>=off leaves it out
  -q, --quiet          report only what makes it fail, and nothing where nothing does
      --color          with colours (--no-color: without); else FORCE_COLOR, NO_COLOR and the
                       terminal decide
      --docs-url <url> where docs/ of this program is served, for links in sarif
      --list-rules     show all codes; build-service explain CODE says more about one
  -h, --help           show this

A project configures the linter in .service-lint.yml at the root of its repository:

  rules:
    failure_swallowed: off      # or info, warn, error
  files: [.service.yml, ci/*.yml]    # what is checked without FILE, and in folders

A comment leaves out one finding, at its own line or at the next:

  # lint-ignore failure_swallowed: the report may fail

Alerts and errors are always reported. Builds know nothing of either.

Each finding has a level (alert, error, warn, info), a position that counts from 1 in the file as
it is written, and in brackets a code.

Exit code:
  0  nothing, or only notes (info) and advice: a new rule blocks no commit
  1  alerts, errors or warnings; with --strict anything at all; a named FILE of another service
  2  a file cannot be read, is not valid YAML, or its root is not a mapping

Examples:
  $ build-service lint
  $ build-service lint --fix
  $ build-service lint --strict --rule deprecated_key=off
  $ build-service lint --format sarif > lint.sarif
  $ git show HEAD:.service.yml | build-service lint -

As a commit hook, in editors and in CI: docs/linter.md in the repository of build-service
`
