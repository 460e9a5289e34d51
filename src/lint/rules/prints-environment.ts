import { namesSecret } from '../../buildfile/schema/secret-keys.ts'
import type { LintContext } from '../context/context.ts'
import { partOf } from '../context/part-of.ts'
import { allCommands } from '../context/sections.ts'
import { writtenNodes } from '../context/written.ts'
import { quote } from '../quote.ts'
import { openSplitter } from '../shell/parts.ts'
import type { LintRule } from './rule.ts'

const printing =
  /^(?:sudo\s+(?:-E\s+)?)?(?:env|printenv|set|export(?:\s+-p)?|declare(?:\s+-[px]+)?)$/

/** The possible endings of each of these commands. */
const names = /(?:env|set|export|declare)(?:\s+-[px]+)?\s*(?:[;&|\n]|$)/

export const printsEnvironment: LintRule = {
  code: 'prints_environment',
  level: 'warn',
  summary: 'A command that prints all variables into the log, in a file that has secrets.',
  why:
    'The values of secret variables are masked in the log, but not what was made from them: parts, ' +
    'other encodings, values that programs have stored. Print the variables that you want to see.',
  examples: [
    {
      source: `before_script: env\nenv:\n  secure: ${'A'.repeat(683)}=\n`,
      messages: [
        '"env" prints all variables, and what was made from secret ones is not masked: print only ' +
          'those that you want to see',
      ],
    },
    {
      source: 'before_script: printenv | sort\nafter_success: ./publish.sh "$NPM_TOKEN"\n',
      messages: [
        '"printenv" prints all variables, and what was made from secret ones is not masked: print ' +
          'only those that you want to see',
      ],
    },
    { source: 'before_script: env\nenv: NODE_ENV=test\n', messages: [] },
    ...['env | grep NODE', 'env NODE_ENV=test make', 'printenv NODE_ENV', 'env > .env'].map(
      (command) => ({
        source: `before_script: ${command}\nscript: make "$API_KEY"\n`,
        messages: [],
      }),
    ),
  ],
  commands: names,

  *check(context) {
    const { once } = context
    for (const command of once(allCommands)) {
      const { text, path } = command
      if (!names.test(text)) continue
      const parts = once(openSplitter)(text) ?? []
      const found = parts.find(
        (part, index) =>
          printing.test(part.text) && !isFiltered(parts[index + 1]?.text, part.joint),
      )
      if (!found || !once(hasSecrets)) continue
      const message =
        `${quote(found.text)} prints all variables, and what was made from secret ones is not masked: ` +
        'print only those that you want to see'
      yield { message, path, ...partOf(context, command, found) }
    }
  },
}

/** Whether a file has a secret value, or a variable with the name of a secret. */
function hasSecrets({ once, text }: LintContext): boolean {
  if (once(writtenNodes).some(({ node }) => node.kind === 'secure')) return true
  const names = text.matchAll(/\$\{?([A-Za-z_]\w*)|\b([A-Za-z_]\w*)[=:]/g)
  return [...new Set([...names].map(([, used, given]) => used ?? given ?? ''))].some(namesSecret)
}

/** Whether another program filters the lines. Sorting does not filter. */
function isFiltered(next: string | undefined, joint: string | null): boolean {
  return joint === '|' && !/^(?:sort|cat|tee|less|more)\b/.test(next ?? '')
}
