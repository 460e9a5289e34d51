import { describe, expect, test } from 'vitest'
import { receiveEvent } from '../../src/flow/events/receive-event.ts'
import { acceptRequest } from '../../src/flow/requests/accept-request.ts'
import { db, scene, useScene } from '../bot/scene.ts'
import { pullOf, pushTo, tip } from '../support/events.ts'
import { commitOf, putPull } from '../support/memory-codehost.ts'

await useScene()

async function decided(event: Parameters<typeof receiveEvent>[1]) {
  const received = await receiveEvent(scene.ctx, event)
  if ('request' in received) await acceptRequest(scene.ctx, received.request.id)
  const build = await db
    .selectFrom('builds')
    .select(['config', 'notifications'])
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirstOrThrow()
  return build.notifications
}

function push(file: string, sha = tip, ref = 'refs/heads/main') {
  scene.codehost.commits.set(sha, commitOf(sha, 'Say hello'))
  scene.codehost.files.set(sha, file)
  return decided(pushTo(scene.repository, { after: sha, ref }))
}

const head = 'd'.repeat(40)
const merge = 'e'.repeat(40)

function pull(file: string, repository_codehost_id: number) {
  putPull(scene.codehost, { head, merge })
  scene.codehost.files.set(merge, file)
  const opened = pullOf(scene.repository)
  return decided({ ...opened, head: { ...opened.head, repository_codehost_id } })
}

const hook = (name: string) =>
  `script: make\nnotifications:\n  email: false\n  webhooks: https://${name}.example/\n`
const hookOf = (name: string) => ({
  email: [{ enabled: false }],
  webhooks: [{ urls: [`https://${name}.example/`] }],
})

describe('who is notified of a build', () => {
  test('is what its file says, without entries whose condition does not hold', async () => {
    const file = [
      'script: make',
      'notifications:',
      '  slack:',
      '    - rooms: acme:a',
      '      if: branch = main',
      '    - rooms: acme:b',
      '      if: branch = other',
    ].join('\n')
    const { slack } = await push(file)
    expect(slack).toMatchObject([{ rooms: ['acme:a'] }])
  })

  test('is also what its file says if the file makes too many jobs', async () => {
    const rows = Array.from({ length: 201 }, (_none, index) => `  - A=${index}\n`).join('')
    expect(await push(`${hook('base')}env:\n${rows}`)).toEqual(hookOf('base'))
  })

  test('is also what its file says if a file that it imports is missing', async () => {
    expect(await push(`import: ci/missing.yml\n${hook('base')}`)).toEqual(hookOf('base'))
    expect(await push('import: ci/missing.yml\nscript: make', 'a'.repeat(40))).toEqual({})
  })

  test('is only the authors if the file names no one', async () => {
    expect(await push('script: make')).toEqual({})
  })

  test('is for a pull request from the same repository what its own file says', async () => {
    await push(hook('base'))
    expect(await pull(hook('topic'), scene.repository.codehost_id)).toMatchObject({
      webhooks: [{ urls: ['https://topic.example/'] }],
    })
  })

  test('is for one from a fork what the branch it is for says, not what the fork wants', async () => {
    await push(hook('other'), 'a'.repeat(40), 'refs/heads/topic')
    await push(hook('base'))
    expect(await pull(hook('evil'), 4711)).toMatchObject({
      webhooks: [{ urls: ['https://base.example/'] }],
    })
  })

  test('is no one for one from a fork where that branch was never built', async () => {
    expect(await pull(hook('evil'), 4711)).toEqual({})
  })

  test('is kept in the form that is sent', async () => {
    const kept = await push(hook('base'))
    expect(kept).toEqual(hookOf('base'))
  })
})
