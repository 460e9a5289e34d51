import { chmod, mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { homedir, tmpdir } from 'node:os'
import path from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import {
  createProcessExecutor,
  type ProcessOptions,
} from '../../../../src/runner/executors/process/executor.ts'
import type { Level } from '../../../../src/runner/executors/process/level.ts'
import { outputOf } from '../../../attack/output-of.ts'
import { type Need, needs } from '../../../support/needs.ts'

async function scratchFolder(): Promise<string> {
  const folder = await mkdtemp(path.join(tmpdir(), 'tools-'))
  await chmod(folder, 0o755)
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  return folder
}

async function executorWith(options: Partial<ProcessOptions>) {
  const workDir = path.join(await scratchFolder(), 'work')
  const executor = createProcessExecutor({ workDir, runnerId: 'tools', ...options })
  onTestFinished(() => executor.close())
  return executor
}

const job = (script: string) => [{ name: 'job' as const, script }] as const

async function needOf(level: Level): Promise<Need> {
  const probed = createProcessExecutor({
    workDir: path.join(tmpdir(), `tools-probe-${process.pid}`),
    runnerId: 'probe',
    levels: [level],
  })
  const { ok, says } = await probed.probe()
  await probed.close()
  return { tests: `at level ${level}`, missing: ok ? undefined : says }
}

/** A folder with a program, and with the folder of a version manager. */
async function machine() {
  const folder = await scratchFolder()
  await mkdir(path.join(folder, 'bin'))
  await mkdir(path.join(folder, '.nvm'))
  await writeFile(path.join(folder, 'bin/greet'), '#!/bin/sh\necho hello\n', { mode: 0o755 })
  return folder
}

const works = {
  sandbox: await needOf('sandbox'),
  tree: await needOf('tree'),
  none: await needOf('none'),
}

describe.each(['sandbox', 'tree', 'none'] as const)('at level %s', (level) => {
  test(
    'jobs find programs on the configured path, and the clone step only those of the system',
    needs(works[level]),
    async () => {
      const folder = await machine()
      const executor = await executorWith({
        levels: [level],
        tools: { path: [`${folder}/bin`], readOnly: [`${folder}/bin`, `${folder}/.nvm`] },
      })
      const text = await outputOf(executor, [
        { name: 'clone', script: 'command -v greet; echo "NVM_DIR=$NVM_DIR"' },
        { name: 'job', script: 'greet; echo "NVM_DIR=$NVM_DIR"; ls -A "$NVM_DIR"' },
      ])
      expect(text).toBe(`NVM_DIR=\nhello\nNVM_DIR=${folder}/.nvm\n`)
    },
  )
})

test('a job in a sandbox cannot change its tools', needs(works.sandbox), async () => {
  const folder = await machine()
  const executor = await executorWith({
    levels: ['sandbox'],
    tools: { readOnly: [`${folder}/bin`] },
  })
  const script = `echo changed >>${folder}/bin/greet; touch ${folder}/bin/new; cat ${folder}/bin/greet`
  const text = await outputOf(executor, job(script))
  expect(text.match(/Read-only file system|Permission denied/g)).toHaveLength(2)
  expect(text).not.toContain('changed')
})

describe('a folder is not shown', needs(works.sandbox), () => {
  test.each([
    ['/', 'sandboxes have their own folder there'],
    ['/tmp', 'sandboxes have their own folder there'],
    ['/home', 'sandboxes have their own folder there'],
    ['/var', 'sandboxes have their own folder there'],
    [homedir(), 'it holds'],
  ])('%s: %s', async (folder, why) => {
    const executor = await executorWith({ levels: ['sandbox'], tools: { readOnly: [folder] } })
    const { warnings } = await executor.probe()
    const said = warnings.filter((warning) => warning.startsWith('jobs do not see'))
    expect(said).toEqual([expect.stringContaining(why)])
    expect(await outputOf(executor, job(`ls -A /tmp; ls ${folder}/.ssh 2>&1; echo over`))).toMatch(
      /^(?:ls: .*\n)?over\n$/,
    )
  })

  test('a folder that holds data of the service, is inside it, or links to it', async () => {
    const folder = await scratchFolder()
    const data = path.join(folder, 'data')
    await mkdir(path.join(data, 'work'), { recursive: true })
    await writeFile(path.join(data, 'master.key'), 'the master key\n')
    await symlink(data, path.join(folder, 'link'))
    const executor = await executorWith({
      levels: ['sandbox'],
      hidden: [data],
      tools: { readOnly: [folder, data, path.join(data, 'work'), path.join(folder, 'link')] },
    })
    const { warnings } = await executor.probe()
    expect(warnings.filter((warning) => warning.includes('data of the service'))).toHaveLength(4)
    const text = await outputOf(
      executor,
      job(`cat ${data}/master.key ${folder}/link/master.key 2>&1`),
    )
    expect(text).not.toContain('the master key')
    expect(text.match(/No such file/g)).toHaveLength(2)
  })
})
