import { plain, pushed, setting, type Situation } from './situation.ts'

/** What the repository, its owner and its webhooks have to do with it, and why jobs wait. */
export const waits: Situation[] = [
  {
    title: 'The repository is not active',
    file: plain,
    async act({ db, push }, file) {
      await db.updateTable('repositories').set({ active: false }).execute()
      return push(file)
    },
  },
  {
    title: 'Pushes are switched off',
    file: plain,
    async act(scene, file) {
      await setting(scene, { build_pushes: false })
      return scene.push(file)
    },
  },
  {
    title: 'The sender is blocked',
    file: plain,
    async act({ db, push }, file) {
      await db.updateTable('users').set({ blocked_at: new Date() }).execute()
      return push(file)
    },
  },
  {
    title: 'The repository is archived',
    file: plain,
    async act({ db, host, repository, quietly, push }, file) {
      await quietly(() => host.setArchived(repository, true))
      await db.updateTable('repositories').set({ archived_at: new Date() }).execute()
      return push(file)
    },
  },
  {
    title: 'A branch is deleted',
    async act({ host, repository, quietly, push }) {
      await quietly(() => push(plain, { branch: 'topic' }))
      await host.pushRef(repository, 'refs/heads/topic')
      return null
    },
  },
  {
    title: 'The same webhook comes twice',
    file: plain,
    async act({ host, push, rest }, file) {
      const sha = await push(file)
      await rest()
      const delivery = host.deliveries.findLast(({ event }) => event === 'push')
      if (!delivery) throw new Error('there was no webhook')
      const { event, guid, request } = delivery
      await host.deliver({ event, guid, payload: request.payload, redelivery: true })
      return sha
    },
  },
  {
    title: 'The same push comes as two webhooks',
    file: plain,
    async act({ host, push, rest }, file) {
      const sha = await push(file)
      await rest()
      const delivery = host.deliveries.findLast(({ event }) => event === 'push')
      if (!delivery) throw new Error('there was no webhook')
      await host.deliver({ event: delivery.event, payload: delivery.request.payload })
      return sha
    },
  },
  {
    title: 'A matrix of three jobs',
    file: 'language: ruby\nrvm: [3.1, 3.2, 3.3]\nscript: rake\n',
    act: pushed,
  },
  {
    title: 'Jobs that differ only in what jobs.include says',
    file:
      'jobs:\n  include:\n    - script: make test\n    - script: make lint\n' +
      '    - script: make lint\n      git:\n        depth: 3\n',
    act: pushed,
  },
  {
    title: 'The repository may run one job at a time',
    file: 'language: ruby\nrvm: [3.1, 3.2, 3.3]\nscript: rake\n',
    async act(scene, file) {
      await setting(scene, { maximum_number_of_builds: 1 })
      return scene.push(file)
    },
  },
  {
    title: 'A stage waits for the stage before it',
    file:
      'jobs:\n  include:\n    - script: make test\n    - stage: deploy\n' +
      '      script: make ship\n',
    act: pushed,
  },
]
