import { allCommands } from '../context/sections.ts'
import { quote } from '../quote.ts'
import { openSplitter } from '../shell/parts.ts'
import type { Rule } from './rule.ts'

const printing =
  /^(?:sudo\s+(?:-E\s+)?)?(?:env|printenv|set|export(?:\s+-p)?|declare(?:\s+-[px]+)?)$/

export const printsEnvironment: Rule = {
  code: 'prints_environment',
  level: 'warn',
  summary: 'A command that prints all variables into the log.',
  why:
    'The values of secret variables are masked in the log, but not what was made from them: parts, ' +
    'other encodings, values that programs have stored. Print the variables that you want to see.',
  examples: [
    {
      source: 'before_script: env\n',
      messages: [
        '"env" prints all variables, and what was made from secret ones is not masked: print only ' +
          'those that you want to see',
      ],
    },
    {
      source: 'before_script: printenv | sort\n',
      messages: [
        '"printenv" prints all variables, and what was made from secret ones is not masked: print ' +
          'only those that you want to see',
      ],
    },
    { source: 'before_script: env | grep NODE\n', messages: [] },
    { source: 'before_script: env NODE_ENV=test make\n', messages: [] },
    { source: 'before_script: printenv NODE_ENV\n', messages: [] },
    { source: 'before_script: env > .env\n', messages: [] },
  ],

  *check({ once }) {
    for (const { text, path } of once(allCommands)) {
      const parts = once(openSplitter)(text) ?? []
      const found = parts.find(
        (part, index) =>
          printing.test(part.text) && !isFiltered(parts[index + 1]?.text, part.joint),
      )
      if (!found) continue
      const message =
        `${quote(found.text)} prints all variables, and what was made from secret ones is not masked: ` +
        'print only those that you want to see'
      yield { message, path }
    }
  },
}

/** Whether another program chooses among the lines. Sorting is no choice. */
function isFiltered(next: string | undefined, joint: string | null): boolean {
  return joint === '|' && !/^(?:sort|cat|tee|less|more)\b/.test(next ?? '')
}
