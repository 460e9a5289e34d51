export const inspectHelp = `Usage: build-service inspect --batch [options]

Reports everything about many build files, for programs that check them in bulk or keep a linter
at hand. Reads JSON from standard input, one file a line, and responds to each line at once:

  {"name": "…", "yaml": "…"}
  {"name", "messages": [{"level", "key", "code", "args", "line"}], "config", "jobs", "axes", "build"}

messages  what the service reports; "line" counts from 0 where the text begins, blank lines
          at its start aside ("args" and "line" are left out where there are none)
config    the normal form of the file
jobs      all jobs that it makes, as a whole, as if every condition held
axes      the keys of the matrix in use, in order
build     stages, jobs and messages for a push to the branch master of owner/name

  {"name", "error": "parse" or "format", "message", "at": {"line", "column"}}   cannot be read
  {"error": "request", "message"}                        is not a line as above; the next is read

Options:
      --batch    required, since there is no other mode yet
      --advice   add what the rules advise to the messages; "args" holds their "message"
  -h, --help     show this

Exit code: 0 when the input has ended.

Example:
  $ jq -c '{name: input_filename, yaml: .}' -R -s .service.yml | build-service inspect --batch
`
