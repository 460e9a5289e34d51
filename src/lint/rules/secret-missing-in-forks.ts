import { asksForKind } from '../context/build-kinds.ts'
import { allCommands, decidingPhases } from '../context/sections.ts'
import { quote } from '../quote.ts'
import type { LintRule } from './rule.ts'

const decrypting = /\bopenssl\b[^;&|\n]*?\$\{?(encrypted_\w+)/

/** Signs that the command depends on a condition, or may fail. */
const guarded = /\bif\b|\[|\btest\b|\|\||\bcase\b/

export const secretMissingInForks: LintRule = {
  code: 'secret_missing_in_forks',
  level: 'warn',
  summary: 'A file that is decrypted in every build, those of pull requests from forks included.',
  why:
    'Builds of pull requests from forks get no secrets, so that no one can print them. There the key ' +
    'is empty, the file cannot be decrypted, and every contribution from a fork fails. Decrypt the ' +
    'file only where it is needed: behind `[ "$SERVICE_SECURE_ENV_VARS" = true ]`, or in a phase such ' +
    'as `before_deploy`.',
  examples: [
    {
      source:
        'before_install:\n  - openssl aes-256-cbc -K $encrypted_0a1b_key -iv $encrypted_0a1b_iv ' +
        '-in key.enc -out key -d\nscript: make\n',
      messages: [
        '"$encrypted_0a1b_key" is empty in builds of pull requests from forks, so they fail here: ask ' +
          'for "SERVICE_SECURE_ENV_VARS" first',
      ],
    },
    {
      source:
        'before_install:\n  - if [ "$SERVICE_SECURE_ENV_VARS" = true ]; then openssl aes-256-cbc ' +
        '-K $encrypted_0a1b_key -iv $encrypted_0a1b_iv -in key.enc -out key -d; fi\nscript: make\n',
      messages: [],
    },
    {
      source:
        'script: make\nbefore_deploy: openssl aes-256-cbc -K $encrypted_0a1b_key ' +
        '-iv $encrypted_0a1b_iv -in key.enc -out key -d\ndeploy:\n  provider: script\n' +
        '  script: make publish\n  on:\n    branch: main\n',
      messages: [],
    },
  ],
  commands: /encrypted_/,

  *check(context) {
    const { once } = context
    if (asksForKind(context)) return
    for (const { text, path, phase } of once(allCommands)) {
      if (!decidingPhases.has(phase) || guarded.test(text)) continue
      const name = decrypting.exec(text)?.[1]
      if (name === undefined) continue
      const message =
        `${quote(`$${name}`)} is empty in builds of pull requests from forks, so they fail here: ask ` +
        'for "SERVICE_SECURE_ENV_VARS" first'
      yield { message, path }
    }
  },
}
