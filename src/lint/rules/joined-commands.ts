import { allCommands } from '../context/sections.ts'
import { quote } from '../quote.ts'
import type { LintRule } from './rule.ts'

/** Programs that people begin a line with, and that take no other program as argument. */
const program =
  /^(?:npm|yarn|pip3?|make|mvn|\.\/mvnw|\.\/gradlew|gradle|composer|cd|mkdir|go|cargo|pytest|phpunit|rake|rspec|gem|brew|git|wget|export|source|cp|mv|chmod|cmake|bundle install|sudo apt-get|apt-get|tox|flake8|codecov|coveralls)\s/

/** Signs that a command continues in the next line: joining characters, or a list of packages. */
const goesOn = /["'`$;&|\\(){}]|\binstall\b/

export const joinedCommands: LintRule = {
  code: 'joined_commands',
  level: 'warn',
  summary: 'Two lines with a command each that YAML joins into one.',
  why:
    'Without quotes or a `|` a text goes on over all lines that are indented deeper, and its line ' +
    'breaks become spaces: the second command is handed to the first one as its arguments. Give each ' +
    'command an entry of its own.',
  examples: [
    {
      source: 'script:\n  - npm run lint\n    npm test\n',
      messages: [
        '"npm test" is joined to the line above and becomes its arguments: make it an entry of its ' +
          'own, with "-" in front',
      ],
    },
    {
      source: 'script:\n  - ./lint.sh\n   - npm test\n',
      messages: [
        '"- npm test" is part of the line above, because its "-" is indented deeper: indent both by the same amount',
      ],
    },
    { source: 'script:\n  - npm run lint\n  - npm test\n', messages: [] },
    { source: 'script:\n  - npm run lint &&\n    npm test\n', messages: [] },
    { source: 'script:\n  - |\n    npm run lint\n    npm test\n', messages: [] },
  ],

  *check({ once, text, spanOf }) {
    for (const { text: value, path } of once(allCommands)) {
      // Without such a text, no line can look like a command or an entry.
      if (!program.test(value) && !/\s- [\w./]/.test(value)) continue
      const span = spanOf(path)
      const joined = span && joinedIn(text.slice(span.start, span.end))
      if (!span || !joined) continue
      const start = span.start + joined.start
      const at = { start, end: start + joined.line.length }
      const remedy = joined.line.startsWith('- ')
        ? 'is part of the line above, because its "-" is indented deeper: indent both by the same amount'
        : 'is joined to the line above and becomes its arguments: make it an entry of its own, with ' +
          '"-" in front'
      yield { message: `${quote(joined.line)} ${remedy}`, path, at }
    }
  },
}

interface Joined {
  line: string
  /** Offset of the line in the written text. */
  start: number
}

/** The first line of a plain text that looks like a command of its own, or like an entry. */
function joinedIn(written: string): Joined | undefined {
  if (/^["'|>&!*]/.test(written) || !written.includes('\n')) return undefined
  const isCommand = program.test(`${written.split('\n', 1)[0]?.trim()} `)
  let before = ''
  let start = 0
  for (const whole of written.split('\n')) {
    const line = whole.trim()
    if (before !== '') {
      if (goesOn.test(before)) return undefined
      const looksAlike = isCommand && program.test(`${line} `)
      if (looksAlike || /^- [\w./]/.test(line)) return { line, start: start + whole.indexOf(line) }
    }
    before = line
    start += whole.length + 1
  }
  return undefined
}
