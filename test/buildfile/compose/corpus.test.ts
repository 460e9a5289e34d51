import { describe, expect, test } from 'vitest'
import { composeText } from '../../../src/buildfile/compose/compose-text.ts'
import { corpus, readCorpus } from '../../support/corpus.ts'
import { needs } from '../../support/needs.ts'
import { said } from './read.ts'

interface Example {
  name: string
  yaml: string
  error?: string
  config?: Record<string, unknown>
}

const kindOfError = (yaml: string) => {
  const composed = composeText(yaml)
  return 'error' in composed ? composed.error.kind : undefined
}

/** What a list of texts is in normal form. */
const texts = (value: unknown) => [value ?? []].flat(2).map(String)

describe('in the corpus', needs(corpus), () => {
  const probes = readCorpus<Example>('probes')

  test('every real build file can be read', () => {
    const files = readCorpus<Example>('configs')
    expect(files).toHaveLength(2000)
    expect(files.filter(({ yaml }) => kindOfError(yaml)).map(({ name }) => name)).toEqual([])
  })

  test('exactly the hand-written files with an expected error are refused', () => {
    const refusals = (kindOf: (probe: Example) => string | undefined) =>
      probes.map((probe) => `${probe.name}: ${kindOf(probe)}`)
    expect(refusals(({ yaml }) => kindOfError(yaml))).toEqual(refusals(({ error }) => error))
    expect(probes).toHaveLength(475)
  })

  // In lists of texts, what was composed shows in the normal form.
  const lists = probes.flatMap(({ name, yaml, config = {} }) =>
    ['script', 'python', 'node_js', 'rvm']
      .filter((key) => name.startsWith('yaml-') && config[key] !== undefined)
      .map((key) => ({ yaml, key, expected: config[key] })),
  )
  test.each(lists)('$key of $yaml is $expected', ({ yaml, key, expected }) => {
    expect(texts((said(yaml) as Record<string, unknown>)[key])).toEqual(expected)
  })

  test('more than forty lists of strings are compared', () => {
    expect(lists.length).toBeGreaterThan(40)
  })
})
