import { describe, expect, test } from 'vitest'
import { readBuildFile } from '../../src/buildfile/read-build-file.ts'
import { hasCorpus, readCorpus } from '../support/corpus.ts'
import { comparable, type Expected } from './expected.ts'

type Probe = { yaml: string } & (Expected | { name: string; error: 'parse' | 'format' })

describe.skipIf(!hasCorpus)('of the hand-written build files', () => {
  const probes = readCorpus<Probe>('probes')

  test('there are 475', () => {
    expect(probes).toHaveLength(475)
  })

  test.each(probes)('$name', (probe) => {
    const { error, ...file } = readBuildFile(probe.yaml)
    if ('error' in probe) expect(error?.kind).toBe(probe.error)
    else expect({ error, ...comparable(file) }).toEqual({ error: null, ...comparable(probe) })
  })
})
