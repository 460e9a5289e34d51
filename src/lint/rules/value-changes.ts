import { foundTexts } from '../context/texts.ts'
import { quote } from '../quote.ts'
import type { LintRule } from './rule.ts'

export const valueChanges: LintRule = {
  code: 'value_changes',
  level: 'warn',
  summary: 'A version or variable without quotes that YAML reads as another one.',
  why:
    'YAML takes some texts for numbers or truth values and writes them back in its own way: `010` is ' +
    'an octal 8, `12:30` counts in sixties, `1,000` and `1_000` lose their marks, `Yes` is `true`. ' +
    'Where a text is wanted, as in versions and variables, put it in quotes. Decimal fractions such ' +
    'as `3.10` keep their form here.',
  examples: [
    {
      source: 'rvm: 010\n',
      messages: ['this is read as "8": put quotes around "010" if that is what is meant'],
      fixed: "rvm: '010'\n",
      onRequest: true,
    },
    {
      source: 'env:\n  global:\n    START: 12:30\n    LIMIT: 1,000\n    DEBUG: Yes\n',
      messages: [
        'this is read as "45000": put quotes around "12:30" if that is what is meant',
        'this is read as "1000": put quotes around "1,000" if that is what is meant',
        'this is read as "true": put quotes around "Yes" if that is what is meant',
      ],
      fixed: "env:\n  global:\n    START: '12:30'\n    LIMIT: '1,000'\n    DEBUG: 'Yes'\n",
      onRequest: true,
    },
    { source: 'python: 3.10\nenv:\n  global:\n    DEBUG: true\n    LIMIT: 1000\n', messages: [] },
    { source: "rvm: '010'\n", messages: [] },
  ],

  *check({ once, text, spanOf }) {
    for (const { text: value, path } of once(foundTexts).read) {
      const at = spanOf(path)
      const written = at && text.slice(at.start, at.end)
      if (!at || written === undefined || !isChanged(written, value)) continue
      const message = `this is read as ${quote(value)}: put quotes around ${quote(written)} if that is what is meant`
      const edits = [{ ...at, text: `'${written}'` }]
      yield { message, path, fix: { title: `write '${written}'`, edits, safe: false } }
    }
  },
}

/** Whether an unquoted value was read as a number or boolean that differs from its text. */
function isChanged(written: string, value: string): boolean {
  if (written === value) return false
  return /^(?:true|false)$/.test(value)
    ? /^(?:true|false|yes|no|on|off)$/i.test(written) && written.toLowerCase() !== value
    : /^[-+]?[\da-fxob.,_:]+$/i.test(written) && /^[-+]?\d/.test(written)
}
