import { describe, expect, test } from 'vitest'
import { composeText } from '../../../src/buildfile/compose/compose-text.ts'
import { hasCorpus, readCorpus } from '../../support/corpus.ts'

interface Example {
  name: string
  yaml: string
  error?: string
}

const kindOfError = (yaml: string) => {
  const composed = composeText(yaml)
  return 'error' in composed ? composed.error.kind : undefined
}

describe.skipIf(!hasCorpus)('of the corpus', () => {
  test('every real build file can be read', () => {
    const files = readCorpus<Example>('configs')
    expect(files).toHaveLength(2000)
    expect(files.filter(({ yaml }) => kindOfError(yaml)).map(({ name }) => name)).toEqual([])
  })

  test('of the hand-written files those are refused that the corpus expects to be', () => {
    const probes = readCorpus<Example>('probes')
    const refusals = (kindOf: (probe: Example) => string | undefined) =>
      probes.map((probe) => `${probe.name}: ${kindOf(probe)}`)
    expect(refusals(({ yaml }) => kindOfError(yaml))).toEqual(refusals(({ error }) => error))
    expect(probes).toHaveLength(475)
  })
})
