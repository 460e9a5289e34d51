import { listOf } from '../../buildfile/expand/values.ts'
import { isMap } from '../../domain/config/config-value.ts'
import { unsentTargets } from '../../domain/notification.ts'
import { quote } from '../quote.ts'
import type { LintRule } from './rule.ts'

export const notificationNotSent: LintRule = {
  code: 'notification_not_sent',
  level: 'info',
  summary: 'A notification target that this service does not support.',
  why:
    'The sections `campfire`, `flowdock`, `hipchat`, `irc` and `pushover` are read and checked, so ' +
    'that files which are used elsewhere too stay valid. This service posts webhooks, messages to ' +
    'Slack and chats that accept the same, and mails. The other targets never receive a message: add one of these, or remove the section.',
  examples: [
    {
      source: "script: make\nnotifications:\n  irc: 'irc.example.org#project'\n",
      messages: [
        'nothing is sent to "irc" by this service: use "webhooks", "slack" or "email" instead',
      ],
    },
    { source: 'script: make\nnotifications:\n  irc: false\n', messages: [] },
    { source: 'script: make\nnotifications:\n  email: a@example.org\n', messages: [] },
  ],
  needs: ['notifications'],

  *check({ config: { notifications } }) {
    if (!isMap(notifications)) return
    for (const name of unsentTargets) {
      const entries = listOf(notifications[name]).filter(isMap)
      if (!entries.some(({ enabled }) => enabled !== false)) continue
      const message = `nothing is sent to ${quote(name)} by this service: use "webhooks", "slack" or "email" instead`
      yield { message, path: ['notifications', name], about: 'key' }
    }
  },
}
