import { visible } from '../../domain/text/escape-control-characters.ts'
import { isCode } from '../../lint/describe-code.ts'
import { fixOf, type Subject, subjects, summaryOf } from '../../lint/subjects.ts'
import { UsageError } from '../errors.ts'
import { readArguments } from './arguments.ts'
import { print } from './print.ts'
import { tableLines } from './table.ts'

const explainHelp = `Usage: build-service explain CODE
       build-service explain WEBHOOK|REQUEST|COMMIT [--json]

Says what a code of the linter means, when it comes up and what to do, with examples.
All codes: build-service lint --list-rules

For the id of a webhook or a request, or for at least 7 digits of a commit, it says why there is a build
or none: each check that was made, what it saw, and the line of the build file that decided.

Options:
  --json      print JSON, for programs (not for codes)
  -h, --help  show this

Examples:
  $ build-service explain find_key
  $ build-service explain 1a2b3c4
`

/** Subjects that are not codes. Names of branches look like codes, so a commit is given by its digits. */
const other =
  'at least 7 digits of a commit (git rev-parse HEAD prints them), or the id of a request or webhook'

/** Explains the meaning of a code. */
export async function explainCode(args: readonly string[]): Promise<number> {
  const { values, positionals } = readArguments(args, {})
  if (values.help) {
    print(explainHelp)
    return 0
  }
  const [code, ...more] = positionals
  if (code === undefined || more.length > 0) {
    throw new UsageError(`explain takes one code, which findings show in brackets, or ${other}`)
  }
  const subject = subjects.find((subject) => subject.code === code)
  if (!subject || !isCode(code)) {
    throw new UsageError(
      `there is no code ${visible(code)}: lint --list-rules shows them all; explain also takes ${other}`,
    )
  }
  print(explanation(subject))
  return 0
}

function explanation(subject: Subject): string {
  const { code, levels, kind, text, examples } = subject
  const fixes = {
    none: '',
    safe: ', lint --fix corrects it',
    'on request': ', lint --fix --unsafe corrects it',
  }
  return [
    `${code} (${levels.join(', ')}; ${kind === 'advice' ? 'advice' : 'a message of the service'}${fixes[fixOf(subject)]})`,
    ...text,
    ...examples.filter(({ messages }) => messages.length > 0).map(exampleText),
  ].join('\n\n')
}

function exampleText({ source, messages, fixed }: Subject['examples'][number]): string {
  return [
    'Example:',
    ...indented(source),
    ...messages.map((message) => `  → ${visible(message)}`),
    ...(fixed === undefined ? [] : ['Corrected:', ...indented(fixed)]),
    '',
  ].join('\n')
}

function indented(text: string): string[] {
  return text
    .trimEnd()
    .split('\n')
    .map((line) => `  ${visible(line)}`.trimEnd())
}

/** All codes as a table. */
export function rulesText(): string {
  const rows = subjects.map((subject) => {
    const { code, levels, kind } = subject
    return [code, levels.join(', '), kind, summaryOf(subject)]
  })
  const lines = tableLines(['code', 'level', 'kind', 'about'], rows)
  return lines.map((line) => `${line}\n`).join('')
}
