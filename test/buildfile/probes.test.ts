import { describe, expect, test } from 'vitest'
import { readBuildFile } from '../../src/buildfile/read-build-file.ts'
import { corpus, readCorpus } from '../support/corpus.ts'
import { needs } from '../support/needs.ts'
import { comparable, type Expected } from './expected.ts'

interface Unreadable {
  name: string
  error: 'parse' | 'format'
}
type Probe = (Expected | Unreadable) & { yaml: string }

describe('the hand-written build files', needs(corpus), () => {
  const probes = readCorpus<Probe>('probes')

  test('there are 475', () => {
    expect(probes).toHaveLength(475)
  })

  test.each(probes.filter((probe): probe is Expected & Probe => !('error' in probe)))(
    '$name',
    (probe) => {
      const { error, ...file } = readBuildFile(probe.yaml)
      expect({ error, ...comparable(file) }).toEqual({ error: null, ...comparable(probe) })
    },
  )

  test.each(probes.filter((probe): probe is Unreadable & Probe => 'error' in probe))(
    '$name',
    ({ yaml, error }) => {
      expect(readBuildFile(yaml).error?.kind).toBe(error)
    },
  )
})
