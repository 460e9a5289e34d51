import type { ComponentChildren } from 'preact'
import { slugOf, type Repository } from '../../../domain/repository.ts'
import { type Frame, Layout } from '../parts/layout.tsx'
import { homePath } from '../paths.ts'

interface SubscriptionProps {
  frame: Frame
  /** Undefined if the viewer cannot see it. */
  repository: Pick<Repository, 'owner_name' | 'name'> | undefined
  /** Login of the user whose mails the page is about. */
  login: string
  /** Whether the user gets the mails. */
  subscribed: boolean
  /** Whether this was just changed. */
  changed: boolean
}

/** Shows whether a user gets mails about a repository's builds. A link in such a mail leads here. */
export function SubscriptionPage({
  frame,
  repository,
  login,
  subscribed,
  changed,
}: SubscriptionProps) {
  const named = repository ? (
    <bdi>{slugOf(repository)}</bdi>
  ) : (
    'a repository that is hidden from you'
  )
  return (
    <MailFrame frame={frame} title="Build mails">
      <p role={changed ? 'status' : undefined}>
        <bdi>{login}</bdi> {subscribed ? 'gets' : 'gets no'} mails about builds of {named}
        {changed ? ' from now on.' : '.'}
      </p>
      <form class="given" method="post">
        <input type="hidden" name="subscribed" value={String(!subscribed)} />
        <button class="main">{subscribed ? 'Unsubscribe' : 'Subscribe again'}</button>
      </form>
    </MailFrame>
  )
}

/** The page for a link without a user or repository. */
export function NoSubscriptionPage({ frame }: { frame: Frame }) {
  return (
    <MailFrame frame={frame} title="This link is invalid">
      <p>It is incomplete, or its repository no longer exists. Nothing was changed.</p>
    </MailFrame>
  )
}

function MailFrame({
  frame,
  title,
  children,
}: {
  frame: Frame
  title: string
  children: ComponentChildren
}) {
  const crumbs = [{ text: 'Repositories', href: homePath(frame.prefix) }, { text: title }]
  return (
    <Layout {...frame} title={title} crumbs={crumbs}>
      <h1>{title}</h1>
      {children}
    </Layout>
  )
}
