import { namesSecret } from '../../buildfile/schema/secret-keys.ts'
import { isEncrypted } from '../context/definition-texts.ts'
import { partOf } from '../context/part-of.ts'
import { allCommands } from '../context/sections.ts'
import { quote } from '../quote.ts'
import type { LintRule } from './rule.ts'

/** A command of git with a variable alone before the `@` of its URL. */
const call =
  /\bgit\s(?:[^;&|\n'"]|\\\n)*?\b(?:push|clone|fetch|pull|ls-remote)\s(?:[^;&|\n]|\\\n)*?\bhttps?:\/\/\$(?:\{([A-Za-z_]\w*)\}|([A-Za-z_]\w*))@/g

/** Redirections of errors, of this command or around it. */
const hidden = /2\s*>|&>|>&/

export const tokenAsUserName: LintRule = {
  code: 'token_as_user_name',
  level: 'info',
  summary: 'A token as the user name in the URL of `git push` or `git clone`.',
  why:
    'When a host refuses a token that has expired, git asks for the password of that user and prints the ' +
    "URL with the user name: `could not read Password for 'https://TOKEN@…'`. It never prints a password. " +
    'The log masks the token only if its variable is secret. GitHub accepts a token as the ' +
    'password of any user name, such as `x-access-token`; GitLab does so with `oauth2`.',
  examples: [
    {
      source: 'after_success: git push https://$GH_TOKEN@github.com/a/b gh-pages\n',
      messages: [
        'git prints the user name in a URL that the host refuses, here "$GH_TOKEN": make it the ' +
          'password, as in "https://x-access-token:$GH_TOKEN@…"',
      ],
    },
    {
      source: 'install:\n  - cd lib && git clone -q "https://${API_TOKEN}@git.example.org/a"\n',
      messages: [
        'git prints the user name in a URL that the host refuses, here "$API_TOKEN": make it the ' +
          'password, as in "https://x-access-token:$API_TOKEN@…"',
      ],
    },
    ...[
      'git push https://x-access-token:$GH_TOKEN@github.com/a/b gh-pages',
      'git push https://$GH_TOKEN:@github.com/a/b gh-pages',
      'git push https://$GH_TOKEN@github.com/a/b gh-pages >/dev/null 2>&1',
      'git push https://$GH_USER@github.com/a/b gh-pages',
      'git push https://github.com/a/b gh-pages',
    ].map((command) => ({ source: `after_success: ${command}\n`, messages: [] })),
    {
      source:
        `env:\n  global:\n    - GH_TOKEN:\n        secure: ${'A'.repeat(683)}=\n` +
        'after_success: git push https://$GH_TOKEN@github.com/a/b gh-pages\n',
      messages: [],
    },
  ],
  commands: /https?:\/\/\$/,

  *check(context) {
    for (const command of context.once(allCommands)) {
      const { text, path } = command
      if (!text.includes('@') || hidden.test(text)) continue
      for (const { 0: found, 1: braced, 2: bare, index } of text.matchAll(call)) {
        const name = braced ?? bare ?? ''
        if (!namesSecret(name) || isEncrypted(context, name)) continue
        const message =
          `git prints the user name in a URL that the host refuses, here ${quote(`$${name}`)}: make it the ` +
          `password, as in ${quote(`https://x-access-token:$${name}@…`)}`
        yield { message, path, ...partOf(context, command, { text: found, start: index }) }
      }
    }
  },
}
