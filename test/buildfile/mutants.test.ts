import { describe, expect, test } from 'vitest'
import { expandMatrix } from '../../src/buildfile/expand/expand-matrix.ts'
import type { Message } from '../../src/buildfile/messages/message.ts'
import { readBuildFile } from '../../src/buildfile/read-build-file.ts'
import { corpus, readCorpus } from '../support/corpus.ts'
import { needs } from '../support/needs.ts'
import { comparable, type Expected, hashOf } from './expected.ts'

interface Mutant extends Expected {
  yaml: string
  error?: 'parse' | 'format'
  axes: string[]
  rows: string[]
}

/** Those that we read otherwise on purpose, and why. */
const kinder: Record<string, string> = {
  'f7041-1883':
    'a list of recipients starts with null: nothing is said, because the rest of such a list is kept',
}

/** What the corpus leaves out of the arguments. */
function withoutTexts(message: Message): Message {
  const { info: _info, message: reason, ...args } = message.args ?? {}
  const kept = message.code === 'invalid_condition' ? args : { ...args, message: reason }
  const shown = Object.entries(kept).filter(([, value]) => value !== undefined)
  return message.args ? { ...message, args: Object.fromEntries(shown) } : message
}

function outcome({ yaml }: Mutant) {
  const { error, messages, config } = readBuildFile(yaml)
  if (error) return { error: error.kind }
  const { axes, rows } = expandMatrix(config)
  const read = comparable({ messages: messages.map(withoutTexts), config })
  return { ...read, axes, rows: rows.map(hashOf) }
}

function wanted({ error, messages, config, axes, rows }: Mutant): ReturnType<typeof outcome> {
  return error === undefined ? { ...comparable({ messages, config }), axes, rows } : { error }
}

describe('2,500 real build files with random mistakes', needs(corpus), () => {
  const mutants = readCorpus<Mutant>('mutants')

  test('are read as expected, except for intended differences', () => {
    const wrong = mutants.filter((one) => hashOf(outcome(one)) !== hashOf(wanted(one)))
    const [first] = wrong.filter(({ name }) => !(name in kinder))
    expect(mutants).toHaveLength(2500)
    expect(first && outcome(first)).toEqual(first && wanted(first))
    expect(wrong.map(({ name }) => name)).toEqual(Object.keys(kinder))
  })
})
