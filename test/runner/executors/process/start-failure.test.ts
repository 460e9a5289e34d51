import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect, test } from 'vitest'
import { runProgram } from '../../../../src/runner/executors/program.ts'

test.each([
  [0o644, /\/tool may not be run by this user: its file is not executable$/],
  [undefined, /\/tool is not installed$/],
])('a program that cannot be started is reported in a sentence (mode %s)', async (mode, says) => {
  const folder = await mkdtemp(path.join(tmpdir(), 'build-service-test-'))
  const tool = path.join(folder, 'tool')
  if (mode !== undefined) await writeFile(tool, '#!/bin/sh\n', { mode })
  const ended = await runProgram(tool, [], { env: {} })
  expect(ended).toEqual({ code: null, text: expect.stringMatching(says) })
  await rm(folder, { recursive: true })
})
