import { expect, test } from 'vitest'
import { readBuildFile } from '../../src/buildfile/read-build-file.ts'
import { describeCorpus, readCorpus } from '../support/corpus.ts'
import { comparable, type Expected } from './expected.ts'

describeCorpus('of 2,000 real build files', () => {
  const files = readCorpus<{ name: string; yaml: string }>('configs')
  const expected = readCorpus<Expected>('expected')

  test('all give the messages, lines and normal form that they should, without exception', () => {
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
