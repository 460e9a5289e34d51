import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { createProcessExecutor } from '../../src/runner/executors/process/executor.ts'
import { needs, rootUser } from '../support/needs.ts'
import { outputOf } from './output-of.ts'

async function newFolder(mode: number): Promise<string> {
  const folder = await mkdtemp(path.join(tmpdir(), 'attack-set-uid-'))
  await chmod(folder, mode)
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  return folder
}

async function newExecutor() {
  const workDir = await newFolder(0o711)
  const executor = createProcessExecutor({ workDir, runnerId: 'attack', levels: ['none'] })
  onTestFinished(() => executor.close())

  /** Runs a job of two steps, and returns what it printed. */
  return (script: string) =>
    outputOf(executor, [
      { name: 'clone', script },
      { name: 'job', script },
    ])
}

describe('with the service as root, at level none', needs(rootUser), () => {
  test('a set-uid program left by a job gives the next job no rights', async () => {
    const shared = await newFolder(0o777)
    const run = await newExecutor()
    const copy = `${shared}/bash`
    const [first] = (await run(`cp -n /bin/bash ${copy}; chmod 4755 ${copy}; echo $UID`)).split(
      '\n',
    )
    const [uid, ...seen] = (await run(`echo $UID; ${copy} -p -c 'echo $EUID'`)).trim().split('\n')
    expect(uid).not.toBe(first)
    expect(seen).toEqual([uid, uid, uid])
  })

  test('the user of a finished job is not used for the next jobs', async () => {
    const users = new Set<string>()
    for (const run of [await newExecutor(), await newExecutor()]) {
      for (let job = 0; job < 3; job++) users.add(await run('echo $UID'))
    }
    expect(users.size).toBe(6)
  })
})
