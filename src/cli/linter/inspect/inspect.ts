import type { Writable } from 'node:stream'
import { StringDecoder } from 'node:string_decoder'
import { visibleJson } from '../../../domain/text/escape-control-characters.ts'
import { UsageError } from '../../errors.ts'
import { endWithReader } from '../../run-program.ts'
import { readArguments } from '../arguments.ts'
import { print } from '../print.ts'
import { inspectText } from './inspect-text.ts'

const options = { batch: { type: 'boolean' }, advice: { type: 'boolean' } } as const

/** Reports on build files, one per line of the input, until the input ends. */
export async function inspect(args: readonly string[]): Promise<number> {
  const { values, positionals } = readArguments(args, options)
  const { help, batch, advice = false } = values
  if (help) {
    print(inspectHelp)
    return 0
  }
  if (!batch || positionals.length > 0) {
    throw new UsageError(
      'inspect reads build files from standard input, as lines of JSON: call it with --batch ' +
        'and without files (see --help)',
    )
  }
  endWithReader()
  for await (const line of linesOf(process.stdin)) {
    if (line.trim() === '') continue
    await writeTo(process.stdout, `${visibleJson(respondTo(line, advice))}\n`)
  }
  return 0
}

/** An error in one line must not prevent the response to the next. */
function respondTo(line: string, advice: boolean) {
  const request = readRequest(line)
  if (typeof request === 'string') return { error: 'request', message: request }
  const { name, yaml } = request
  try {
    return { name, ...inspectText(yaml, { advice }) }
  } catch (error) {
    return {
      name,
      error: 'internal',
      message: error instanceof Error ? error.message : String(error),
    }
  }
}

interface InspectRequest {
  name: string
  yaml: string
}

/** The request on a line, or a text about its error. */
function readRequest(line: string): InspectRequest | string {
  let value: unknown
  try {
    value = JSON.parse(line)
  } catch (error) {
    return `the line is not valid JSON: ${error instanceof Error ? error.message : String(error)}`
  }
  const { name, yaml } = Object(value) as Partial<Record<keyof InspectRequest, unknown>>
  if (typeof name === 'string' && typeof yaml === 'string') return { name, yaml }
  return 'the line is not an object with the strings "name" and "yaml"'
}

const inspectHelp = `Usage: build-service inspect --batch [options]

Reports everything about many build files, for programs that check them in bulk or keep a linter
running. Reads JSON from standard input, one file per line, and responds to each line immediately:

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
      --batch    required, because there is no other mode yet
      --advice   add what the rules advise to the messages; "args" holds their "message"
  -h, --help     show this

Exit code: 0 when the input has ended.

Example:
  $ jq -c '{name: input_filename, yaml: .}' -R -s .service.yml | build-service inspect --batch
`

/** The lines of a stream, each as soon as it arrives; the last may have no line break. */
async function* linesOf(stream: AsyncIterable<Buffer>): AsyncGenerator<string> {
  const decoder = new StringDecoder('utf8')
  let pieces: string[] = []
  for await (const chunk of stream) {
    const [first = '', ...rest] = decoder.write(chunk).split('\n')
    pieces.push(first)
    for (const piece of rest) {
      yield pieces.join('')
      pieces = [piece]
    }
  }
  yield pieces.join('') + decoder.end()
}

/** Waits until the reader's pipe has the text, because the program may end right after it. */
async function writeTo(stream: Writable, text: string): Promise<void> {
  await new Promise((resolve) => stream.write(text, resolve))
}
