import { allCommands } from '../context/sections.ts'
import { openSplitter } from '../shell/parts.ts'
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

  *check({ once }) {
    for (const { text, path } of once(allCommands)) {
      if (!text.includes('login')) continue
      const commands = once(openSplitter)(text)?.map((part) => part.text) ?? [text]
      if (!commands.some((command) => login.test(command) && password.test(command))) continue
      const message =
        'other processes can read the password of "docker login": pipe it in, with "--password-stdin"'
      yield { message, path }
    }
  },
}
