import { describe, expect, test } from 'vitest'
import { readBuildFile } from '../../src/buildfile/read-build-file.ts'
import { corpus, readCorpus } from '../support/corpus.ts'
import { needs } from '../support/needs.ts'
import { comparable, type Expected } from './expected.ts'

describe('2,000 real build files', needs(corpus), () => {
  const files = readCorpus<{ name: string; yaml: string }>('configs')
  const expected = readCorpus<Expected>('expected')

  test('have the expected messages, lines and normal form, without exception', () => {
    const wrong = files.flatMap(({ name, yaml }, index) => {
      const wanted = expected[index]
      const got = comparable(readBuildFile(yaml))
      const same = wanted && JSON.stringify(got) === JSON.stringify(comparable(wanted))
      return same ? [] : [{ name, got, wanted: wanted && comparable(wanted) }]
    })
    expect(files.map(({ name }) => name)).toEqual(expected.map(({ name }) => name))
    expect(files).toHaveLength(2000)
    expect(wrong[0]?.got).toEqual(wrong[0]?.wanted)
    expect(wrong.map(({ name }) => name)).toEqual([])
  })
})
