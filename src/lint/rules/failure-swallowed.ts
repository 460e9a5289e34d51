import { quote } from '../quote.ts'
import type { Context } from '../context/context.ts'
import { partOf } from '../context/part-of.ts'
import { allCommands } from '../context/sections.ts'
import { openSplitter, type Part, statements } from '../shell/parts.ts'
import { isTestCommand } from '../shell/test-command.ts'
import type { Rule } from './rule.ts'

/** Words that show that someone has thought about how commands end. */
const handled =
  /\$\{?\?|\bwait\b|PIPESTATUS|\bexit\b(?!\s+0\s*$)|service_terminate|\bfalse\b|\breturn\b|\btrap\b/

/** Commands that look at what was left behind, and distinguish success from failure by that. */
const verdict = /^(?:diff|cmp|grep|test|git diff|\[\[?)(?:\s|$)/

const strict = /\bset\s+-[a-z]*e|-o\s+errexit/

export const failureSwallowed: Rule = {
  code: 'failure_swallowed',
  level: 'warn',
  summary: 'A test or build command in `script` whose failure no one notices.',
  why:
    'Of one entry of `script` only the end of its last command counts. Where several commands stand ' +
    'in one entry, on lines of their own or with `;` between them, the others may fail and the job ' +
    'passes. Give each command an entry of its own, or join them with `&&`. Of a pipe as well only the ' +
    'last command counts, and `tee`, `cat` and the like do not fail: `bash -o pipefail -c "…"` does.',
  examples: [
    {
      source: 'script:\n  - npm test; npm run report\n',
      messages: [
        'a failure of "npm test" goes unnoticed, since another command follows in the same entry: ' +
          'make it an entry of its own, or put "&&" behind it',
      ],
    },
    {
      source: 'script:\n  - |\n    make lint\n    make test\n',
      messages: [
        'a failure of "make lint" goes unnoticed, since another command follows in the same entry: ' +
          'make it an entry of its own, or put "&&" behind it',
      ],
    },
    {
      source: 'script: npm test | tee test.log\n',
      messages: [
        'a failure of "npm test" goes unnoticed, since of a pipe only the last command counts: write ' +
          '"set -o pipefail; " before it, or put the output into a file',
      ],
    },
    {
      source: 'script: pytest; exit 0\n',
      messages: [
        'a failure of "pytest" goes unnoticed, since "exit 0" follows: remove it, or list the job ' +
          'under "jobs.allow_failures"',
      ],
    },
    { source: 'script: set -e; make test; exit 0\n', messages: [] },
    { source: 'script: set -o pipefail; npm test | tee test.log\n', messages: [] },
    { source: 'script: npm test | npx tap-spec\n', messages: [] },
    { source: 'script:\n  - npm test | tee log\n  - grep -q "0 failures" log\n', messages: [] },
    { source: 'script: make help | cat\n', messages: [] },
    { source: 'script:\n  - npm test\n  - npm run report\n', messages: [] },
    { source: 'script:\n  - cd app && npm test;\n', messages: [] },
    { source: 'script:\n  - set -e\n  - npm test; npm run report\n', messages: [] },
    { source: 'script:\n  - npm run build & sleep 5; npm run report\n', messages: [] },
    { source: 'script:\n  - npm test; status=$?; make report; exit $status\n', messages: [] },
  ],

  *check(context) {
    const { once } = context
    for (const command of once(allCommands)) {
      const { text, path, phase } = command
      if (phase !== 'script' || !/[;&|\n]/.test(text) || handled.test(text)) continue
      const parts = once(openSplitter)(text) ?? []
      const followed = once(isStrict) ? undefined : swallowed(parts)
      const lost = followed ?? (once(mindsPipes) ? undefined : piped(parts, context.text))
      if (lost === undefined) continue
      const why = followed ? whyUnnoticed(parts.at(-1)) : whyUnnoticedInPipe
      const message = `a failure of ${quote(lost.text)} goes unnoticed, ${why}`
      yield { message, path, ...partOf(context, command, lost) }
    }
  },
}

function isStrict({ once }: Context): boolean {
  return once(allCommands).some(({ text }) => strict.test(text))
}

function mindsPipes({ once }: Context): boolean {
  return once(allCommands).some(({ text }) => text.includes('pipefail'))
}

const whyUnnoticedInPipe =
  'since of a pipe only the last command counts: write "set -o pipefail; " before it, or put the ' +
  'output into a file'

function whyUnnoticed(last: Part | undefined): string {
  return last?.text === 'exit 0'
    ? 'since "exit 0" follows: remove it, or list the job under "jobs.allow_failures"'
    : 'since another command follows in the same entry: make it an entry of its own, or put "&&" behind it'
}

/** Commands that pass on what they are given, and end well whatever that was. */
const passesOn =
  /^(?:sudo\s+)?(?:tee|cat|head|tail|sed|awk|tr|cut|sort|uniq|ts|xcpretty|xcbeautify)(?:\s|$)/

/** What only says something, and tests nothing. */
const harmless = /\s(?:help|-v|-n|--version|--help|--dry-run|--collect-only|--list\S*)(?:\s|$)/

/**
 * The test command whose output goes into such a command, at the end of an entry. Where the output is
 * kept in a file that is named again, someone may look at it there.
 */
function piped(all: readonly Part[], file: string): Part | undefined {
  const last = statements(all).at(-1) ?? []
  const sink = last.at(-1)
  if (!sink || !passesOn.test(sink.text) || last.at(-2)?.joint !== '|') return undefined
  const kept = /^(?:sudo\s+)?tee\s+(?:-\S+\s+)*([^\s]+)/.exec(sink.text)?.[1]
  if (kept !== undefined && file.split(kept).length > 2) return undefined
  const from = last.findLastIndex(({ joint }, at) => joint !== '|' && at < last.length - 1) + 1
  return last.slice(from, -1).find(({ text }) => isTestCommand(text) && !harmless.test(text))
}

/** The first test command that another statement follows. */
function swallowed(parts: readonly Part[]): Part | undefined {
  const all = statements(parts)
  if (verdict.test(all.at(-1)?.[0]?.text ?? '')) return undefined
  for (const statement of all.slice(0, -1)) {
    // What is put into the background is not waited for on purpose.
    if (statement.some(({ joint }) => joint !== null && /^[|&]/.test(joint) && joint !== '&&'))
      continue
    const test = statement.find((part) => isTestCommand(part.text))
    if (test) return test
  }
  return undefined
}
