import { UsageError } from '../explain.ts'
import { endWithReader } from '../run-program.ts'
import { readArguments } from './arguments.ts'
import { inspectHelp } from './inspect-help.ts'
import { inspectText } from './inspect-text.ts'
import { linesOf, writeTo } from './lines.ts'
import { print } from './print.ts'

const options = { batch: { type: 'boolean' }, advice: { type: 'boolean' } } as const

/** Answers questions about build files, a line each, until there are no more. */
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
        'and without files (add --help for what there is)',
    )
  }
  endWithReader()
  for await (const line of linesOf(process.stdin)) {
    if (line.trim() === '') continue
    await writeTo(process.stdout, `${JSON.stringify(answerTo(line, advice))}\n`)
  }
  return 0
}

/** Whatever is wrong with one line must not keep the next from its answer. */
function answerTo(line: string, advice: boolean) {
  const asked = readQuestion(line)
  if (typeof asked === 'string') return { error: 'request', message: asked }
  const { name, yaml } = asked
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

interface Question {
  name: string
  yaml: string
}

/** What a line asks about, or what is wrong with it. */
function readQuestion(line: string): Question | string {
  let value: unknown
  try {
    value = JSON.parse(line)
  } catch (error) {
    return `the line is no JSON: ${error instanceof Error ? error.message : String(error)}`
  }
  const { name, yaml } = Object(value) as Partial<Record<keyof Question, unknown>>
  if (typeof name === 'string' && typeof yaml === 'string') return { name, yaml }
  return 'the line is no object with the texts "name" and "yaml"'
}
