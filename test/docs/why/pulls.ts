import { expect } from 'vitest'
import { eventually } from '../../support/app-story.ts'
import { openBecause, plain, pulled, setting, type Situation } from './situation.ts'

/** Pull requests and merge queues. */
export const pulls: Situation[] = [
  { title: 'A pull request of the same repository', file: plain, act: pulled },
  {
    title: 'A draft',
    file: plain,
    act: async ({ pull }, file) => (await pull(file, { draft: true })).head.sha,
  },
  {
    title: 'The head commit of a pull request has a skip command',
    file: plain,
    act: async ({ pull }, file) => (await pull(file, { message: 'Try it [skip ci]' })).head.sha,
  },
  {
    title: 'A pull request from a fork',
    file: plain,
    async act({ host, repository, push, quietly }, file) {
      await quietly(() => push(file))
      const fork = await host.fork(repository, 'stranger')
      const files = { greeting: 'Hello' }
      const sha = await quietly(() => host.commit(fork, { branch: 'topic', files, by: 'stranger' }))
      await host.openPull(repository, { head: 'topic', from: fork, by: 'stranger' })
      return sha
    },
  },
  {
    title: 'The base branch is not among those listed',
    file: 'script: make\nbranches:\n  only:\n    - stable\n',
    act: pulled,
  },
  { title: 'The condition wants pushes', file: 'script: make\nif: type = push\n', act: pulled },
  {
    title: 'Pull requests are switched off',
    file: plain,
    async act(scene, file) {
      await setting(scene, { build_pull_requests: false })
      return pulled(scene, file)
    },
  },
  {
    title: 'The pull request conflicts with its base branch',
    async act({ host, repository, quietly }) {
      const sha = await quietly(async () => {
        await host.commit(repository, { branch: 'topic', files: { readme: 'Good evening' } })
        return host.commit(repository, { files: { readme: 'Good day' } })
      })
      const { head } = await host.openPull(repository, { head: 'topic' })
      return head.sha === sha ? null : head.sha
    },
  },
  {
    title: 'The code host has not made the merge commit yet',
    file: plain,
    async act({ host, pull }, file) {
      host.delayMerges(Number.POSITIVE_INFINITY)
      return (await pull(file)).head.sha
    },
    // After some pauses the head shows it as well.
    async open({ db, host, repository, ...scene }) {
      await openBecause(/merge commit/)({ db, host, repository, ...scene })
      await eventually(() => {
        const heads = host.tables.pulls.filter((each) => each.repository === repository)
        const posted = heads.flatMap(({ head }) => host.statuses(repository, head.sha))
        expect(posted.map(({ state }) => state)).toContain('pending')
      })
    },
    after: async ({ host, repository }) => closeAll(host, repository),
  },
  {
    title: 'A pull request that is closed while its merge commit is awaited',
    file: plain,
    async act({ host, pull, ...scene }, file) {
      host.delayMerges(Number.POSITIVE_INFINITY)
      const opened = await pull(file)
      await openBecause(/merge commit/)({ host, pull, ...scene })
      await host.closePull(opened)
      host.delayMerges(0)
      return opened.head.sha
    },
  },
  {
    title: 'A newer head is pushed before the merge commit is made',
    file: plain,
    async act({ host, pull, repository, ...scene }, file) {
      host.delayMerges(Number.POSITIVE_INFINITY)
      const { head } = await pull(file)
      const { sha } = head
      await openBecause(/merge commit/)({ host, pull, repository, ...scene })
      host.delayMerges(0)
      const send = host.holdWebhooks()
      await host.commit(repository, { branch: 'topic', files: { greeting: 'Good day' } })
      await send((parcels) => parcels.filter(({ event }) => event === 'pull_request'))
      return sha
    },
  },
  {
    title: 'The pull request gets a new title',
    file: plain,
    async act({ host, pull, quietly }, file) {
      const opened = await quietly(() => pull(file))
      await host.editPull(opened, { title: 'Better words' })
      return opened.head.sha
    },
  },
  {
    title: 'A merge queue asks for checks',
    file: plain,
    async act({ host, pull, quietly }, file) {
      const opened = await quietly(() => pull(file))
      return host.queuePull(opened)
    },
  },
]

type Host = Parameters<Situation['act']>[0]['host']
type Repository = Parameters<Situation['act']>[0]['repository']

async function closeAll(host: Host, repository: Repository): Promise<void> {
  for (const pull of host.tables.pulls.filter((each) => each.repository === repository)) {
    await host.closePull(pull)
  }
  host.delayMerges(0)
}
