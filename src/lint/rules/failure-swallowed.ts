import type { LintContext } from '../context/context.ts'
import { partOf } from '../context/part-of.ts'
import { allCommands } from '../context/sections.ts'
import { quote } from '../quote.ts'
import { openSplitter, type Part, statements } from '../shell/parts.ts'
import { isTestCommand } from '../shell/test-command.ts'
import type { LintRule } from './rule.ts'

/** Words that show that the author has considered exit codes. */
const handled =
  /\$\{?\?|\bwait\b|PIPESTATUS|\bexit\b(?!\s+0\s*$)|service_terminate|\bfalse\b|\breturn\b|\btrap\b/

/** Commands that check the files or output left behind to tell success from failure. */
const verdict = /^(?:diff|cmp|grep|test|git diff|\[\[?)(?:\s|$)/

const strict = /\bset\s+-[a-z]*e|-o\s+errexit/

export const failureSwallowed: LintRule = {
  code: 'failure_swallowed',
  level: 'warn',
  summary: 'A test or build command in `script` whose failure goes unnoticed.',
  why:
    'Only the exit code of the last command of a `script` entry counts. Where several commands stand ' +
    'in one entry, on lines of their own or with `;` between them, the others may fail and the job ' +
    'passes. Give each command an entry of its own, or join them with `&&`. In a pipe, too, only the last ' +
    'command counts, and `tee`, `cat` and the like do not fail: `bash -o pipefail -c "…"` does.',
  examples: [
    {
      source: 'script:\n  - npm test; npm run report\n',
      messages: [
        'a failure of "npm test" goes unnoticed, because another command follows in the same entry: ' +
          'make it an entry of its own, or add "&&" after it',
      ],
    },
    {
      source: 'script:\n  - |\n    make lint\n    make test\n',
      messages: [
        'a failure of "make lint" goes unnoticed, because another command follows in the same entry: ' +
          'make it an entry of its own, or add "&&" after it',
      ],
    },
    {
      source: 'script: npm test | tee test.log\n',
      messages: [
        'a failure of "npm test" goes unnoticed, because only the last command of a pipe counts: write ' +
          '"set -o pipefail; " before it, or put the output into a file',
      ],
    },
    {
      source: 'script: pytest; exit 0\n',
      messages: [
        'a failure of "pytest" goes unnoticed, because "exit 0" follows: remove it, or list the job ' +
          'under "jobs.allow_failures"',
      ],
    },
    {
      source:
        'before_script: "check() { [ $? = 0 ] || FAILED=1; }"\nscript:\n  - npm test; check\n  - test -z "$FAILED"\n',
      messages: [],
    },
    { source: 'script: set -e; make test; exit 0\n', messages: [] },
    { source: 'script: set -o pipefail; npm test | tee test.log\n', messages: [] },
    {
      source: 'script: npm test | grep -v warning\n',
      messages: [
        'a failure of "npm test" goes unnoticed, because only the last command of a pipe counts: write ' +
          '"set -o pipefail; " before it, or put the output into a file',
      ],
    },
    {
      source: 'script: cd app && xcodebuild test | bundle exec xcpretty && cd ..\n',
      messages: [
        'a failure of "xcodebuild test" goes unnoticed, because only the last command of a pipe counts: write ' +
          '"set -o pipefail; " before it, or put the output into a file',
      ],
    },
    { source: 'script: npm test | grep -q "0 failures"\n', messages: [] },
    { source: 'script: npm test | grep passed && npm run report\n', messages: [] },
    { source: 'script: npm test | npx tap-spec\n', messages: [] },
    { source: 'script:\n  - npm test | tee log\n  - grep -q "0 failures" log\n', messages: [] },
    { source: 'script: make help | cat\n', messages: [] },
    { source: 'script:\n  - npm test\n  - npm run report\n', messages: [] },
    { source: 'script:\n  - cd app && npm test;\n', messages: [] },
    { source: 'script:\n  - set -e\n  - npm test; npm run report\n', messages: [] },
    { source: 'script:\n  - npm run build & sleep 5; npm run report\n', messages: [] },
    { source: 'script:\n  - npm test; status=$?; make report; exit $status\n', messages: [] },
  ],
  needs: ['script'],

  *check(context) {
    const { once } = context
    for (const command of once(allCommands)) {
      const { text, path, phase } = command
      if (phase !== 'script' || !/[;&|\n]/.test(text) || handled.test(text)) continue
      const parts = once(openSplitter)(text) ?? []
      const followed = once(isStrict) ? undefined : swallowed(parts, () => once(functionsOf))
      const lost = followed ?? (once(mindsPipes) ? undefined : piped(parts, context.text))
      if (lost === undefined) continue
      const why = followed ? whyUnnoticed(parts.at(-1)) : whyUnnoticedInPipe
      const message = `a failure of ${quote(lost.text)} goes unnoticed, ${why}`
      yield { message, path, ...partOf(context, command, lost) }
    }
  },
}

function isStrict({ once }: LintContext): boolean {
  return once(allCommands).some(({ text }) => strict.test(text))
}

function mindsPipes({ once }: LintContext): boolean {
  return once(allCommands).some(({ text }) => text.includes('pipefail'))
}

const whyUnnoticedInPipe =
  'because only the last command of a pipe counts: write "set -o pipefail; " before it, or put the ' +
  'output into a file'

function whyUnnoticed(last: Part | undefined): string {
  return last?.text === 'exit 0'
    ? 'because "exit 0" follows: remove it, or list the job under "jobs.allow_failures"'
    : 'because another command follows in the same entry: make it an entry of its own, or add "&&" after it'
}

/** Commands that pass on their input, and succeed whatever it is. */
const passesOn =
  /^(?:sudo\s+|bundle\s+exec\s+)?(?:tee|cat|head|tail|sed|awk|tr|cut|sort|uniq|ts|xcpretty|xcbeautify|grep\s+(?:\S+\s+)*?(?:-[a-zA-Z]*v[a-zA-Z]*|--invert-match))(?:\s|$)/

/** Arguments with which a command only prints something, and tests nothing. */
const harmless = /\s(?:help|-v|-n|--version|--help|--dry-run|--collect-only|--list\S*)(?:\s|$)/

/**
 * The test command whose output is piped into such a command, in the last statement of an entry. Output
 * kept in a file that is named again may be checked there.
 */
function piped(all: readonly Part[], file: string): Part | undefined {
  const last = statements(all).at(-1) ?? []
  for (const [at, sink] of last.entries()) {
    const endsPipe = last[at - 1]?.joint === '|' && (sink.joint === null || sink.joint === '&&')
    if (!endsPipe || !passesOn.test(sink.text) || isLookedAt(sink, file)) continue
    const from = last.findLastIndex(({ joint }, index) => joint !== '|' && index < at) + 1
    const tested = last
      .slice(from, at)
      .find(({ text }) => isTestCommand(text) && !harmless.test(text))
    if (tested) return tested
  }
  return undefined
}

function isLookedAt({ text }: Part, file: string): boolean {
  const kept = /^(?:sudo\s+)?tee\s+(?:-\S+\s+)*([^\s]+)/.exec(text)?.[1]
  return kept !== undefined && file.split(kept).length > 2
}

/** The functions that the file's commands define: they may check how the last command ended. */
function functionsOf({ once }: LintContext): ReadonlySet<string> {
  const names = once(allCommands).flatMap(({ text }) =>
    [...text.matchAll(/\bfunction\s+([\w-]+)|([\w-]+)\s*\(\)/g)].map(
      ([, declared, named]) => declared ?? named ?? '',
    ),
  )
  return new Set(names)
}

/** The first test command that another statement follows. */
function swallowed(parts: readonly Part[], functions: () => ReadonlySet<string>): Part | undefined {
  const all = statements(parts)
  if (all.length < 2 || verdict.test(all.at(-1)?.[0]?.text ?? '')) return undefined
  const isFunction = ([first]: readonly Part[]) =>
    functions().has(first?.text.split(/\s/, 1).join() ?? '')
  if (all.slice(1).some(isFunction)) return undefined
  for (const statement of all.slice(0, -1)) {
    // The result of a command in the background, in a pipe or before `||` is not the result of the line.
    if (statement.some(({ joint }) => joint !== null && /^[|&]/.test(joint) && joint !== '&&'))
      continue
    const test = statement.find((part) => isTestCommand(part.text))
    if (test) return test
  }
  return undefined
}
