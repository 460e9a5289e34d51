import { CodehostError, type NewestTags, type PastTag, type RepositoryRef } from '../codehost.ts'
import type { App } from './app.ts'
import { scopeOf } from './client.ts'
import { graphqlRoute } from './graphql.ts'

/**
 * The REST API does not sort tags by time, so thousands must be read to find the newest. GraphQL sorts
 * them: annotated tags by their own time, other tags by the time of their commit.
 */
export const tagsQuery = `
  query newestTags($owner: String!, $name: String!) {
    repository(owner: $owner, name: $name) {
      databaseId
      refs(
        refPrefix: "refs/tags/"
        first: 100
        orderBy: { field: TAG_COMMIT_DATE, direction: DESC }
      ) {
        pageInfo { hasNextPage }
        nodes {
          name
          target {
            __typename
            oid
            ... on Commit { committedDate }
            ... on Tag {
              tagger { date }
              target {
                __typename
                oid
                ... on Commit { committedDate }
                ... on Tag { target { __typename oid ... on Commit { committedDate } } }
              }
            }
          }
        }
      }
    }
  }
`

interface Found {
  repository: {
    databaseId: number | null
    refs: {
      pageInfo: { hasNextPage: boolean }
      nodes: readonly ({ name: string; target: Target | null } | null)[] | null
    } | null
  } | null
}

interface Target {
  __typename: string
  oid: string
  committedDate?: string
  tagger?: { date: string | null } | null
  target?: Target
}

export async function newestTags({ call }: App, repository: RepositoryRef): Promise<NewestTags> {
  const { slug, codehost_id } = repository
  const [owner, name] = slug.split('/')
  const asked = { query: tagsQuery, variables: { owner, name } }
  const { data } = await call<{ data: Found }>(scopeOf(repository), graphqlRoute, asked)
  const found = data.repository
  // The name may now belong to another repository.
  if (found?.databaseId !== codehost_id) {
    const message = `the code host shows no repository ${slug} with the id ${codehost_id} (${graphqlRoute})`
    throw new CodehostError(message, { kind: 'missing' })
  }
  const tags = (found.refs?.nodes ?? []).flatMap((node) =>
    node?.target ? [tagOf(node.name, node.target)] : [],
  )
  return { tags, more: found.refs?.pageInfo.hasNextPage ?? false }
}

function tagOf(name: string, target: Target): PastTag {
  const end = endOf(target)
  const date = target.tagger?.date ?? end.committedDate
  return {
    name,
    sha: target.oid,
    commit: end.__typename === 'Commit' ? end.oid : null,
    created_at: date ? new Date(date) : null,
  }
}

/** The object that a tag finally points to: a tag can point to another tag. */
function endOf(target: Target): Target {
  return target.target ? endOf(target.target) : target
}
