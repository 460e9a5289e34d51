import { partOf } from '../context/part-of.ts'
import { allCommands } from '../context/sections.ts'
import { openSplitter, type Part } from '../shell/parts.ts'
import type { Rule } from './rule.ts'

const login = /(?:^|\s)docker\s+login(?:\s|$)/
const password = /\s(?:-p(?:\s*|=)|--password[=\s])(?!-)\S/

export const passwordArgument: Rule = {
  code: 'password_argument',
  level: 'warn',
  summary: 'A password among the arguments of `docker login`.',
  why:
    'Every process of the machine can read the arguments of the others, and with `set -x` they are in ' +
    'the log. `docker` itself warns of it. Let it read the password: ' +
    '`echo "$PASSWORD" | docker login -u "$NAME" --password-stdin`.',
  examples: [
    {
      source: 'script: docker login -u "$NAME" -p "$PASSWORD"\n',
      messages: [
        'other processes can read the password of "docker login": pipe it in, with "--password-stdin"',
      ],
    },
    {
      source: 'script: echo "$PASSWORD" | docker login -u "$NAME" --password-stdin\n',
      messages: [],
    },
  ],
  mentions: /docker/,

  *check(context) {
    const { once } = context
    for (const command of once(allCommands)) {
      const { text, path } = command
      if (!text.includes('login')) continue
      const parts = once(openSplitter)(text) ?? linesOf(text)
      const found = parts.find((part) => login.test(part.text) && password.test(part.text))
      if (!found) continue
      const message =
        'other processes can read the password of "docker login": pipe it in, with "--password-stdin"'
      yield { message, path, ...partOf(context, command, found) }
    }
  },
}

/** The lines of a text that is more than a list of commands; one that goes on with `\` is one. */
function linesOf(text: string): Pick<Part, 'text' | 'start'>[] {
  return [...text.matchAll(/(?:\\\n|[^\n])+/g)].map((found) => ({
    text: found[0],
    start: found.index,
  }))
}
