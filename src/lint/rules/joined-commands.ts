import { quote } from '../quote.ts'
import { allCommands } from '../context/sections.ts'
import type { Rule } from './rule.ts'

/** Programs that people begin a line with, and that take no other program as argument. */
const program =
  /^(?:npm|yarn|pip3?|make|mvn|\.\/mvnw|\.\/gradlew|gradle|composer|cd|mkdir|go|cargo|pytest|phpunit|rake|rspec|gem|brew|git|wget|export|source|cp|mv|chmod|cmake|bundle install|sudo apt-get|apt-get|tox|flake8|codecov|coveralls)\s/

/** Signs that a command goes on in the next line: what joins commands, or a list of packages. */
const goesOn = /["'`$;&|\\(){}]|\binstall\b/

export const joinedCommands: Rule = {
  code: 'joined_commands',
  level: 'warn',
  summary: 'Two lines with a command each that YAML joins into one.',
  why:
    'Without quotes or a `|` a text goes on over all lines that are indented deeper, and its line ' +
    'breaks become blanks: the second command is handed to the first one as its arguments. Give each ' +
    'command an entry of its own.',
  examples: [
    {
      source: 'script:\n  - npm run lint\n    npm test\n',
      messages: [
        '"npm test" is joined to the line above and becomes its arguments: make it an entry of its ' +
          'own, with "-" in front',
      ],
    },
    { source: 'script:\n  - npm run lint\n  - npm test\n', messages: [] },
    { source: 'script:\n  - npm run lint &&\n    npm test\n', messages: [] },
    { source: 'script:\n  - |\n    npm run lint\n    npm test\n', messages: [] },
  ],

  *check({ once, text, spanOf }) {
    for (const { text: value, path } of once(allCommands)) {
      if (!program.test(value)) continue
      const at = spanOf(path)
      const joined = at && joinedIn(text.slice(at.start, at.end))
      if (joined === undefined) continue
      const message =
        `${quote(joined)} is joined to the line above and becomes its arguments: make it an entry ` +
        'of its own, with "-" in front'
      yield { message, path }
    }
  },
}

/** The first line of a plain text that looks like a command of its own, as the first one does. */
function joinedIn(written: string): string | undefined {
  if (/^["'|>&!*]/.test(written)) return undefined
  const [first = '', ...others] = written.split('\n').map((line) => line.trim())
  if (!program.test(`${first} `)) return undefined
  let before = first
  for (const line of others) {
    if (goesOn.test(before)) return undefined
    if (program.test(`${line} `)) return line
    before = line
  }
  return undefined
}
