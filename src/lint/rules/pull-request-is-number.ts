import { allCommands } from '../context/sections.ts'
import { quote } from '../quote.ts'
import type { LintRule } from './rule.ts'

const variable = String.raw`["']?\$(?:SERVICE_PULL_REQUEST\b|\{SERVICE_PULL_REQUEST(?::?-)?\})["']?`
const value = String.raw`(?:true|"true"|'true'|""|'')`
const end = String.raw`(?=[\s\];&)]|$)`
/** A comparison of the variable with `true` or an empty value, or a test for an empty value. */
const never = new RegExp(
  [
    String.raw`${variable}\s+==?\s+${value}${end}`,
    String.raw`(?<=(?:\[|\btest)\s+)${value}\s+==?\s+${variable}${end}`,
    String.raw`(?<!!\s+)-z\s+${variable}${end}`,
  ].join('|'),
)

export const pullRequestIsNumber: LintRule = {
  code: 'pull_request_is_number',
  level: 'warn',
  summary: 'A test of `SERVICE_PULL_REQUEST` that never holds.',
  why:
    'In the build of a pull request `SERVICE_PULL_REQUEST` is its number, and in all other builds it ' +
    'is `false`: it is never `true`, and never empty. Compare it with `false`: ' +
    '`[ "$SERVICE_PULL_REQUEST" != false ]` holds for pull requests only, `=` for all others.',
  examples: [
    {
      source: 'script: if [ "$SERVICE_PULL_REQUEST" = "true" ]; then make lint; fi\n',
      messages: [
        String.raw`"\"$SERVICE_PULL_REQUEST\" = \"true\"" never holds, because the variable is a number or ` +
          '"false": compare it with "false"',
      ],
    },
    {
      source: 'script: test -z "$SERVICE_PULL_REQUEST" && make publish\n',
      messages: [
        String.raw`"-z \"$SERVICE_PULL_REQUEST\"" never holds, because the variable is a number or "false": ` +
          'compare it with "false"',
      ],
    },
    ...[
      ['test "$SERVICE_PULL_REQUEST" == "true"', '"$SERVICE_PULL_REQUEST" == "true"'],
      ['[ true = "$SERVICE_PULL_REQUEST" ] && make', 'true = "$SERVICE_PULL_REQUEST"'],
      ['[ "$SERVICE_PULL_REQUEST" == "" ] && make', '"$SERVICE_PULL_REQUEST" == ""'],
      ['[ -z "${SERVICE_PULL_REQUEST:-}" ] && make', '-z "${SERVICE_PULL_REQUEST:-}"'],
    ].map(([command, found = '']) => ({
      source: `script:\n  - '${command}'\n`,
      messages: [
        `${quote(found)} never holds, because the variable is a number or "false": compare it with "false"`,
      ],
    })),
    ...[
      '[[ $SERVICE_PULL_REQUEST == false ]] && make publish',
      '[ "$SERVICE_PULL_REQUEST" != true ] && make',
      '[ ! -z "$SERVICE_PULL_REQUEST" ] && make',
      '[ -z "$SERVICE_PULL_REQUEST_BRANCH" ] && make',
      '[ "$SERVICE_PULL_REQUEST_IS_DRAFT" = true ] && make',
      'SERVICE_PULL_REQUEST=true; [ "$SERVICE_PULL_REQUEST" = true ] && make',
    ].map((command) => ({ source: `script:\n  - '${command}'\n`, messages: [] })),
  ],
  commands: /SERVICE_PULL_REQUEST\b/,

  *check({ once, text }) {
    // A file that sets the variable itself knows what it is.
    if (/SERVICE_PULL_REQUEST=(?!=)/.test(text)) return
    for (const { text: command, path } of once(allCommands)) {
      const found = never.exec(command)?.[0]
      if (found === undefined) continue
      const message =
        `${quote(found)} never holds, because the variable is a number or "false": compare it with ` +
        '"false"'
      yield { message, path }
    }
  },
}
