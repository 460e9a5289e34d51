import { partOf } from '../context/part-of.ts'
import { allCommands, decidingPhases } from '../context/sections.ts'
import { quote } from '../quote.ts'
import { openSplitter } from '../shell/parts.ts'
import { isTestCommand } from '../shell/test-command.ts'
import type { LintRule } from './rule.ts'

/** Words that mark a test command as a test, not a build. */
const tests =
  /\b(?:tests?|spec|lint|check|verify|pytest|phpunit|rspec|mocha|jest|eslint|flake8|pylint|mypy|rubocop)\b/

/** Signs of tests that run again for their output, or whose failure is not wanted. */
const byproducts = /cov|report|jacoco|publish|deploy|release|upload|docs?\b|--exit-zero|[|>]/

export const testTooLate: LintRule = {
  code: 'test_too_late',
  level: 'warn',
  summary: 'A test in `after_success` or `after_script`, whose failure changes nothing.',
  why:
    'The result of a job is decided by the phases up to `script`. Later phases only do side work, ' +
    'such as sending a report: a failure there is in the log only, and the job passes. Move the test to ' +
    '`script`.',
  examples: [
    {
      source: 'script: npm test\nafter_success: npm run lint\n',
      messages: [
        'a failure of "npm run lint" changes nothing, because "after_success" runs after the result is ' +
          'decided: move it to "script"',
      ],
    },
    {
      source: 'script: make\nafter_script:\n  - make test\n  - cat test.log\n',
      messages: [
        'a failure of "make test" changes nothing, because "after_script" runs after the result is decided: ' +
          'move it to "script"',
      ],
    },
    ...[
      'npm run test:coverage',
      'vendor/bin/phpunit --coverage-clover coverage.xml',
      'npm run build',
      'flake8 --exit-zero | tee log',
      'npm test > report.txt',
      'npm test || exit 1',
    ].map((command) => ({ source: `script: make\nafter_success: ${command}\n`, messages: [] })),
    { source: 'script: make test\nafter_failure: make test VERBOSE=1\n', messages: [] },
    { source: 'script: make test\nafter_script: make test\n', messages: [] },
  ],
  needs: ['after_success', 'after_script'],

  *check(context) {
    const { once } = context
    for (const command of once(allCommands)) {
      const { text, path, phase } = command
      if (phase !== 'after_success' && phase !== 'after_script') continue
      if (!tests.test(text)) continue
      const found = once(openSplitter)(text)?.find(
        (part) => part.joint !== '||' && part.joint !== '|' && isOnlyTest(part.text),
      )
      if (!found || isRepeated(found.text)) continue
      const message =
        `a failure of ${quote(found.text)} changes nothing, because "${phase}" runs after the result is ` +
        'decided: move it to "script"'
      yield { message, path, ...partOf(context, command, found) }
    }

    /** Whether the test also runs in a phase that decides the result. */
    function isRepeated(test: string): boolean {
      return once(allCommands).some(
        ({ text, phase }) => decidingPhases.has(phase) && text.includes(test),
      )
    }
  },
}

function isOnlyTest(command: string): boolean {
  return tests.test(command) && isTestCommand(command) && !byproducts.test(command)
}
