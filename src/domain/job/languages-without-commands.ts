/** Languages whose jobs run only what their build file says, and fail where it says no `script`. */
export const languagesWithoutCommands: readonly string[] = [
  ...['android', 'clojure', 'crystal', 'csharp', 'd', 'dart', 'elixir', 'elm', 'erlang', 'groovy'],
  ...['hack', 'haskell', 'haxe', 'julia', 'matlab', 'nix', 'objective-c', 'perl', 'perl6', 'r'],
  ...['scala', 'smalltalk'],
]
