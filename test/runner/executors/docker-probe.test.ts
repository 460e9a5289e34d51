import { mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { createDockerExecutor } from '../../../src/runner/executors/docker/executor.ts'

test('an engine that is restarted without user namespaces no longer keeps root in check', async () => {
  let options = ['name=userns']
  const answers = (): [RegExp, object][] => [
    [/\/version$/, { Version: '27.0.0', ApiVersion: '1.47' }],
    [/\/info$/, { OSType: 'linux', SecurityOptions: options }],
    [/\/images\/.*json$/, { Id: 'sha256:1' }],
  ]
  const engine = createServer(({ url = '' }, response) => {
    const [, body] = answers().find(([address]) => address.test(url)) ?? []
    response.writeHead(body ? 200 : 404, { 'content-type': 'application/json' })
    response.end(JSON.stringify(body ?? { message: 'there is no such thing' }))
  })
  const folder = await mkdtemp(path.join(tmpdir(), 'engine-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  const socketPath = path.join(folder, 'engine.sock')
  await new Promise<void>((resolve) => {
    engine.listen(socketPath, resolve)
  })
  const executor = createDockerExecutor({
    workDir: folder,
    images: { file: path.join(folder, 'images.json'), days: 1 },
    runnerId: 'machine-1',
    cloneImage: 'git:1',
    slots: 1,
    env: { DOCKER_HOST: `unix://${socketPath}` },
  })
  expect(await executor.probe()).toMatchObject({ ok: true, confines_root: true })
  options = ['name=seccomp,profile=builtin']
  expect(await executor.probe()).toMatchObject({ ok: true, confines_root: false })
  engine.closeAllConnections()
  await new Promise((resolve) => {
    engine.close(resolve)
  })
  expect(await executor.probe()).toMatchObject({ confines_root: false })
})
