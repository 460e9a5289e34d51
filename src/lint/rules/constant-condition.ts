import { alwaysSame } from '../../buildfile/conditions/always-same.ts'
import {
  type Constant,
  type ConstantReason,
  constantTerms,
} from '../../buildfile/conditions/constant.ts'
import type { LintContext } from '../context/context.ts'
import { readConditions } from '../context/read-conditions.ts'
import type { FoundText } from '../context/texts.ts'
import { nearest } from '../nearest.ts'
import { quote } from '../quote.ts'
import type { ProposedFix, LintRule } from './rule.ts'

export const constantCondition: LintRule = {
  code: 'constant_condition',
  level: 'warn',
  summary: 'A condition, or a part of one, that is true or false whatever is built.',
  why:
    'Conditions are read leniently: a word that is not a variable is compared as plain text. Then the ' +
    'condition does not depend on the build. Variables are written in lower case, and a space, ' +
    '`=`, `,` or a bracket has to follow them: `branch!=main` compares the word `branch` with the ' +
    'word `main`, which is always true.',
  examples: [
    {
      source: 'if: branch!=main\n',
      messages: [
        'the condition "branch!=main" is always true, because "branch" is read as plain text there: put ' +
          'spaces around the operator',
      ],
      fixed: 'if: branch != main\n',
      onRequest: true,
    },
    {
      source: 'if: BRANCH = main\n',
      messages: [
        'the condition "BRANCH = main" is always false, because variables are written in lower case: ' +
          'write "branch = main"',
      ],
      fixed: 'if: branch = main\n',
      onRequest: true,
    },
    {
      source: 'if: type = release OR branch = main\n',
      messages: [
        'a part of the condition, "type = release", is always false, because "type" never has that ' +
          'value: it is "push", "pull_request", "api" or "cron"',
      ],
    },
    {
      source: 'if: type = pull-request\n',
      messages: [
        'the condition "type = pull-request" is always false, because "type" never has that value: write ' +
          '"type = pull_request"',
      ],
      fixed: 'if: type = pull_request\n',
      onRequest: true,
    },
    {
      source: 'if: branch = release/*\n',
      messages: [
        'the condition "branch = release/*" is always false, because "branch" never has that value: write ' +
          '"branch =~ ^release/"',
      ],
      fixed: 'if: branch =~ ^release/\n',
      onRequest: true,
    },
    {
      source: 'if: type = tag\n',
      messages: [
        'the condition "type = tag" is always false, because "type" never has that value: it is "push", ' +
          '"pull_request", "api" or "cron", and to ask whether a tag is built, write "tag IS present"',
      ],
    },
    {
      source: 'if: type IN (push, pull_reqest)\n',
      messages: [
        'a part of the condition, "pull_reqest", is always false, because the variable before the list ' +
          'never has that value: write "pull_request"',
      ],
      fixed: 'if: type IN (push, pull_request)\n',
      onRequest: true,
    },
    {
      source: 'if: branch = main AND branch = develop\n',
      messages: [
        'the condition is always false, because "branch = main" and "branch = develop" contradict ' +
          'or imply each other: correct one of the two',
      ],
    },
    { source: 'if: branch != main AND type = push\n', messages: [] },
    { source: 'jobs:\n  include:\n    - script: make\n      if: false\n', messages: [] },
  ],
  mentions: /if/i,

  *check(context) {
    for (const { text, path, condition } of context.once(readConditions)) {
      const whole = alwaysSame(condition)
      if (whole?.reason === 'literal') continue
      const found = whole ? [whole] : constantTerms(condition)
      for (const constant of found) {
        const what =
          whole && constant.reason === 'between_terms'
            ? 'the condition'
            : `${whole ? 'the condition' : 'a part of the condition,'} ${termOf(constant)}`
        const comma = whole ? '' : ','
        const message = `${what}${comma} is always ${constant.result}, because ${reasonOf(constant)}`
        const fix = mendOf(constant, { text, path }, context)
        yield { message, path, ...(fix && { fix }) }
      }
    }
  },
}

function termOf({ terms: [term] }: Constant): string {
  return quote(term?.text)
}

function reasonOf(constant: Constant): string {
  const { terms } = constant
  const better = betterTerm(constant)
  const written = better === undefined ? undefined : `write ${quote(better)}`
  const reasons: Record<ConstantReason, string> = {
    literal: 'it says so: remove it',
    words_alone: 'it only compares words: name a variable, such as "branch"',
    variable_as_word: `"${variableIn(constant)}" is read as plain text there: put spaces around the operator`,
    variable_in_capitals: `variables are written in lower case: write ${quote(better)}`,
    no_pattern: 'the operator has no pattern: add one',
    impossible_member: `the variable before the list never has that value: ${written ?? 'choose another one, or remove it'}`,
    impossible_value: `"${variableIn(constant)}" never has that value: ${written ?? valuesOf(constant)}`,
    between_terms: `${terms.map(({ text }) => quote(text)).join(' and ')} contradict or imply each other: correct one of the two`,
  }
  return reasons[constant.reason]
}

function variableIn({ terms: [term] }: Constant): string {
  return /[a-z_]+/.exec(term?.text ?? '')?.[0] ?? ''
}

const howToAskForTag = 'to ask whether a tag is built, write "tag IS present"'
const namesAsTheyAre =
  'names contain no spaces and are compared as they are, so for a pattern use "=~"'

/** The values of each variable, and how to write a condition on something else. */
const values: Readonly<Record<string, string>> = {
  type: 'it is "push", "pull_request", "api" or "cron"',
  branch: namesAsTheyAre,
  head_branch: namesAsTheyAre,
  fork: 'it is true or false',
  draft: 'it is true or false',
  repo: 'it is an owner and a name, such as "acme/site"',
  tag: `it is the name of one, compared as it is: ${howToAskForTag}, and for a pattern use "=~"`,
}

function valuesOf(constant: Constant): string {
  const known = values[variableIn(constant)] ?? 'choose another one, or remove the part'
  const asksForTag = /^type\s*!?==?\s*tag$/.test(constant.terms[0]?.text ?? '')
  return asksForTag ? `${known}, and ${howToAskForTag}` : known
}

const types = ['push', 'pull_request', 'api', 'cron']

/** The term that was meant, if that is clear. */
function betterTerm({ reason, terms: [term] }: Constant): string | undefined {
  if (!term) return undefined
  if (reason === 'variable_in_capitals') {
    return term.text.replace(/^[A-Z_]+(?=\W)/, (name) => name.toLowerCase())
  }
  if (reason === 'impossible_member') return nearest(term.text, types)
  if (reason === 'impossible_value') {
    const [, before, value = ''] = /^(type\s*!?==?\s*)([\w-]+)$/.exec(term.text) ?? []
    const near = nearest(value, types)
    return near === undefined ? patternIn(term.text) : `${before}${near}`
  }
  const [, left, operator, right] = /^([a-z_]+)\s*(!=|==?|=~|!~|~=)\s*(.+)$/s.exec(term.text) ?? []
  const isGlued = reason === 'variable_as_word' && right !== undefined
  return isGlued ? `${left} ${operator === '~=' ? '=~' : operator} ${right}` : undefined
}

/** A name that ends in a star, rewritten as the pattern that was meant. */
function patternIn(text: string): string | undefined {
  const [, name, operator, start] =
    /^(branch|head_branch|tag)\s*(!=|==?)\s*([\w./-]+)\*+$/.exec(text) ?? []
  if (start === undefined) return undefined
  return `${name} ${operator === '!=' ? '!~' : '=~'} ^${start.replaceAll('.', '\\.')}`
}

function mendOf(
  constant: Constant,
  { text, path }: FoundText,
  context: LintContext,
): ProposedFix | undefined {
  const at = context.spanOf(path)
  const [term] = constant.terms
  const better = betterTerm(constant)
  if (!at || !term || better === undefined || better === term.text) return undefined
  // Quotes and line breaks would shift the position of the term.
  if (context.text.slice(at.start, at.end) !== text) return undefined
  const start = at.start + term.offset
  const edits = [{ start, end: start + term.text.length, text: better }]
  return { title: `write ${better}`, edits, safe: false }
}
