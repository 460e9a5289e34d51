import { visibleJson } from '../../../domain/visible.ts'
import { UsageError } from '../../explain.ts'
import { endWithReader } from '../../run-program.ts'
import { readArguments } from '../arguments.ts'
import { inspectHelp } from './inspect-help.ts'
import { inspectText } from './inspect-text.ts'
import { linesOf, writeTo } from '../lines.ts'
import { print } from '../print.ts'

const options = { batch: { type: 'boolean' }, advice: { type: 'boolean' } } as const

/** Reports about build files, a line each, until the input ends. */
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
    await writeTo(process.stdout, `${visibleJson(respondTo(line, advice))}\n`)
  }
  return 0
}

/** Whatever is wrong with one line must not keep the next from its response. */
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

/** The request on a line, or what is wrong with it. */
function readRequest(line: string): InspectRequest | string {
  let value: unknown
  try {
    value = JSON.parse(line)
  } catch (error) {
    return `the line is no JSON: ${error instanceof Error ? error.message : String(error)}`
  }
  const { name, yaml } = Object(value) as Partial<Record<keyof InspectRequest, unknown>>
  if (typeof name === 'string' && typeof yaml === 'string') return { name, yaml }
  return 'the line is no object with the texts "name" and "yaml"'
}
