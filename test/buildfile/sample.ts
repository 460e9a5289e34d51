import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'

const folder = path.join(import.meta.dirname, 'sample')

/** A build file of `sample/`, and what is expected of it. */
export interface SampleFile {
  name: string
  yaml: string
  expected: unknown
}

/** Build files written for the tests: together they use the breadth of the reader. */
export const sample: readonly SampleFile[] = readdirSync(folder)
  .filter((file) => file.endsWith('.yml'))
  .toSorted()
  .map((file) => {
    const name = path.basename(file, '.yml')
    const expected = JSON.parse(read(`${name}.json`)) as unknown
    return { name, yaml: read(file), expected }
  })

function read(file: string): string {
  return readFileSync(path.join(folder, file), 'utf8')
}
