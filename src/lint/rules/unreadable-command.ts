import { partOf } from '../context/part-of.ts'
import { allCommands } from '../context/sections.ts'
import { quote } from '../quote.ts'
import type { Refused } from '../shell/reader.ts'
import { refusedByBash } from '../shell/refused-by-bash.ts'
import type { LintRule } from './rule.ts'

const word =
  String.raw`(?!(?:if|then|else|elif|fi|for|while|until|do|done|case|esac|select|function|coproc|time)\b)` +
  String.raw`[\w./$~"'@-]`
const quoted = String.raw`'[^']*'|"(?:[^"\`$\\]|\$\{\w+\}|\$(?![({])|\\[^])*"`
const joint = String.raw`(?:&&|\|\|?|;)(?=[ \t]*${word})`
const turned = String.raw`>>?(?=[ \t]?[\w/.$"])|>&\d`

/** Simple commands, as most entries are: bash can read them. Each character has only one way to match. */
const simple = new RegExp(
  String.raw`^(?=\s*${word})(?:[^\\'"\`(){};&|<>\n$#]|\$(?:\{\w+\}|(?![({'"[]))|\\\S|${quoted}|${joint}|${turned})*$`,
)

const oneEntry =
  'in this entry, and each entry is read on its own: write the whole command into one entry'

export const unreadableCommand: LintRule = {
  code: 'unreadable_command',
  level: 'error',
  summary: 'An entry that bash cannot read: an `if` without `fi`, a quote that is not closed.',
  why:
    'Each entry is passed to bash on its own. One that it cannot read is not run, or only up to the ' +
    'line with the mistake, and fails: in a phase up to `script` the job does so too. A command ' +
    'over several lines is one entry with `|`. Without `|` YAML turns line breaks into spaces, so each ' +
    'command needs a `;` after it. What bash might read, with options or aliases, is not reported.',
  examples: [
    {
      source: 'script:\n  - if test -d docs; then\n  - make docs\n  - fi\n',
      messages: [
        `bash cannot read this: "if" has no "fi" after it ${oneEntry}`,
        `bash cannot read this: "fi" has no "if" before it ${oneEntry}`,
      ],
    },
    {
      source: 'script:\n  - if test -d docs; then\n    make docs\n    fi\n',
      messages: [
        'bash cannot read this: "if" has no "fi" after it, as "fi" is an argument here: put ";" before "fi"',
      ],
    },
    {
      source: 'script: if test -d docs; then make docs; fi make lint\n',
      messages: ['bash cannot read this: "make" follows "fi" directly: put ";" before "make"'],
    },
    {
      source: 'script: test -d docs; then make docs; fi\n',
      messages: [`bash cannot read this: "then" has no "if" before it ${oneEntry}`],
    },
    {
      source: 'script: for version in 1 2; make VERSION=$version; done\n',
      messages: ['bash cannot read this: "do" is missing before "make"'],
    },
    {
      source: 'script: if test -d docs; then make docs; done\n',
      messages: ['bash cannot read this: "fi" is missing before "done"'],
    },
    {
      source: "script: echo it's done\n",
      messages: [
        'bash cannot read this: a single quote is not closed in this entry: close it, or put "\\" before it',
      ],
    },
    {
      source: 'script: echo building (release)\n',
      messages: [
        'bash cannot read this: "(" is not part of an argument: put the argument in quotes',
      ],
    },
    {
      source: 'script:\n  - make &&\n  - make test\n',
      messages: [
        'bash cannot read this: no command follows "&&" in this entry: add it, or remove "&&"',
      ],
    },
    {
      source: 'script: echo $(date\n',
      messages: ['bash cannot read this: "$(" has no ")" after it: add ")"'],
    },
    {
      source: 'script: "[[ -f docs ] && make docs"\n',
      messages: ['bash cannot read this: "[[" has no "]]" after it: add "]]"'],
    },
    {
      source: 'script: cat <<<\n',
      messages: ['bash cannot read this: no text follows "<<<": add it, or remove "<<<"'],
    },
    {
      source: 'script: make >\n',
      messages: ['bash cannot read this: no file name follows ">": add it, or remove ">"'],
    },
    {
      source: 'before_script: ./server &; sleep 5\n',
      messages: ['bash cannot read this: no command is before ";": remove it'],
    },
    {
      source: 'script: if test -d docs; then fi\n',
      messages: ['bash cannot read this: no command is between "then" and "fi": write ":" there'],
    },
    ...[
      'if test -d docs; then make docs; fi',
      'while true; do if make; then break; fi done',
      'case $A in a|b) make;; *) make test; esac',
      "echo \"it's\" it\\'s # it's",
      './server & sleep 5',
      'ls !(docs)',
      'echo $(case a in a) echo b;; esac)',
      'x=(1 2); [[ $x =~ ^(1|2)$ ]] && make',
      'echo fi done',
    ].map((command) => ({ source: `script:\n  - |\n    ${command}\n`, messages: [] })),
    {
      source: 'script:\n  - |\n    if test -d docs; then\n      make docs\n    fi\n',
      messages: [],
    },
    { source: "script:\n  - |\n    cat <<E\n    it's\n    E\n", messages: [] },
  ],

  *check(context) {
    const { once } = context
    for (const command of once(allCommands)) {
      const { text, path } = command
      if (simple.test(text)) continue
      const refused = refusedByBash(text)
      if (!refused) continue
      const { found, start } = refused
      const message = `bash cannot read this: ${describe(refused, text)}`
      yield { message, path, ...partOf(context, command, { text: found, start }) }
    }
  },
}

/** The word that must come before each of these words. */
const openers = new Map([
  ...['then', 'elif', 'else', 'fi'].map((word) => [word, 'if'] as const),
  ...['esac', ';;', ';&', ';;&'].map((word) => [word, 'case'] as const),
  ...([
    ['do', 'for'],
    ['done', 'do'],
    ['}', '{'],
    [')', '('],
  ] as const),
])

const quoteNames: Readonly<Record<string, string>> = {
  "'": 'single quote',
  '"': 'double quote',
  '`': 'backquote',
}

function describe(refused: Refused, text: string): string {
  const { kind, found, other, start } = refused
  if (kind === 'stray') {
    const opener = openers.get(found) ?? ''
    return `${quote(found)} has no ${quote(opener)} before it${remedyFor(opener, text.slice(0, start))}`
  }
  if (kind === 'unclosed')
    return brackets.has(found)
      ? `${quote(found)} has no ${quote(other)} after it: add ${quote(other)}`
      : `${quote(found)} has no ${quote(other)} after it${remedyFor(other, text.slice(start))}`
  if (kind === 'unexpected') return `${quote(other)} is missing before ${quote(found)}`
  if (kind === 'follows')
    return `${quote(found)} follows ${quote(other)} directly: put ";" before ${quote(found)}`
  if (kind === 'empty')
    return `no command is between ${quote(other)} and ${quote(found)}: write ":" there`
  if (kind === 'bracket') return `"(" is not part of an argument: put the argument in quotes`
  if (kind === 'quote')
    return `a ${quoteNames[found]} is not closed in this entry: close it, or put "\\" before it`
  if (other === 'file')
    return `no ${followerOf(found)} follows ${quote(found)}: add it, or remove ${quote(found)}`
  return other === 'after'
    ? `no command follows ${quote(found)} in this entry: add it, or remove ${quote(found)}`
    : `no command is before ${quote(found)}: remove it`
}

/** A bracket or quote opened within a command, which no other entry can close. */
const brackets = new Set(['$(', '${', '<(', '>(', '[[', '(('])

/** The syntax that must follow a redirection. */
function followerOf(redirection: string): string {
  if (redirection.endsWith('<<<')) return 'text'
  return redirection.endsWith('&') ? 'descriptor' : 'file name'
}

/** The remedy for a missing word: if it is there as an argument, it was meant to start a command. */
function remedyFor(word: string, around: string): string {
  const isThere = around.split(/\s/).includes(word)
  return isThere
    ? `, as ${quote(word)} is an argument here: put ";" before ${quote(word)}`
    : ` ${oneEntry}`
}
