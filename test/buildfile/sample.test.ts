import { expect, test } from 'vitest'
import { inspectText } from '../../src/cli/linter/inspect/inspect-text.ts'
import { sample } from './sample.ts'

/**
 * Everything that is read from a file: messages, normal form, the jobs of its matrix, and the build
 * that a push to master makes of it; its jobs are null where they are those of the matrix.
 */
function resultOf(yaml: string) {
  const result = inspectText(yaml, { advice: false })
  if (result.build === undefined) return result
  const { build, jobs } = result
  const isSame = JSON.stringify(build.jobs) === JSON.stringify(jobs)
  return { ...result, build: { ...build, jobs: isSame ? null : build.jobs } }
}

test.each(sample)('the build file $name is read as expected', ({ yaml, expected }) => {
  expect(resultOf(yaml)).toEqual(expected)
})

test('the sample has sixty files', () => {
  expect(sample).toHaveLength(60)
})
