import type { BuildState } from '../../../domain/build.ts'
import { filled, type TemplateValues, templateValues } from '../template.ts'
import { addressesOf, entriesOf, hiddenTarget, type Kind, sender } from './kind.ts'

export const slack: Kind<'slack'> = {
  /** A build file can turn off chat messages for pull requests (NT-24). */
  named: (section, { event_type }) =>
    entriesOf(section.slack)
      .filter(({ on_pull_requests }) => event_type !== 'pull_request' || on_pull_requests !== false)
      .flatMap((entry) => addressesOf(entry, 'rooms')),

  async plan({ config }, facts, { template }, { text, secret }) {
    const room = readSlackRoom(text)
    if (!room) {
      const skipped =
        'This is neither account:token nor the address of an incoming webhook, followed by #channel.'
      return [{ kind: 'slack', target: secret ? hiddenTarget : text, skipped }]
    }
    const { state } = facts.build
    const body = slackBody(room, { state, values: templateValues(config, facts), template })
    const { hostname } = new URL(room.url)
    const target = secret ? hiddenTarget : `${hostname}${room.channel ?? ''}`
    const content = { kind: 'slack' as const, secret, url: room.url, body }
    return [{ kind: 'slack', target, address: text, content }]
  },

  send: ({ notifier }, _notification, { url, secret, body }) =>
    notifier.post({
      url,
      secret,
      body,
      headers: { ...sender, 'content-type': 'application/json' },
    }),
}

/** The destination of a chat message. */
interface SlackRoom {
  url: string
  channel: string | null
}

/**
 * Reads `account:token`, or the address of an incoming webhook, optionally followed by `#channel`.
 * Undefined for anything else.
 */
function readSlackRoom(text: string): SlackRoom | undefined {
  const [, account, token, named] =
    /^([A-Za-z0-9-]+):([A-Za-z0-9_-]+)(#.+)?$/.exec(text.trim()) ?? []
  if (account !== undefined && token !== undefined) {
    const url = `https://${account}.slack.com/services/hooks/incoming-webhook?token=${token}`
    return { url, channel: named ?? null }
  }
  const at = text.indexOf('#')
  const url = (at === -1 ? text : text.slice(0, at)).trim()
  if (!/^https?:\/\//.test(url) || !URL.canParse(url)) return undefined
  return { url, channel: at === -1 ? null : text.slice(at) }
}

const usual =
  'Build <%{build_url}|#%{build_number}> (<%{compare_url}|%{commit}>) of ' +
  '%{repository_slug}@%{branch} by %{author} %{result} in %{duration}'
const usualOfPull =
  'Build <%{build_url}|#%{build_number}> (<%{compare_url}|%{commit}>) of ' +
  '%{repository_slug}@%{branch} in PR <%{pull_request_url}|#%{pull_request_number}> by %{author} ' +
  '%{result} in %{duration}'

/** The number of characters that Slack shows. */
const longestText = 40_000

interface Message {
  state: BuildState
  values: TemplateValues
  template: readonly string[]
}

/** The body of a message in the format of incoming webhooks of Slack and similar chats. */
function slackBody({ channel }: SlackRoom, { state, values, template }: Message): string {
  const isPull = values.pull_request_number !== ''
  const lines = template.length > 0 ? template : [isPull ? usualOfPull : usual]
  const safe = Object.fromEntries(
    Object.entries(values).map(([name, value]) => [name, escaped(value)]),
  )
  let text = ''
  for (const line of lines) {
    const left = longestText - text.length
    if (left <= 0) break
    text += `${text === '' ? '' : '\n'}${withoutEmptyLinks(filled(line, safe, left))}`
  }
  const attachment = { fallback: text, text, color: colours[state], mrkdwn_in: ['text'] }
  return JSON.stringify({ attachments: [attachment], ...(channel === null ? {} : { channel }) })
}

/** Escapes a value for the chat: text from a commit must neither create links nor notify everyone. */
function escaped(value: string): string {
  return value
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('|', '¦')
}

/** Replaces links without an address by their texts. */
function withoutEmptyLinks(text: string): string {
  return text.replaceAll(/<\|([^<>]*)>/g, '$1')
}

const colours = {
  created: 'warning',
  received: 'warning',
  started: 'warning',
  passed: 'good',
  failed: 'danger',
  errored: 'danger',
  canceled: 'warning',
} as const satisfies Record<BuildState, string>
