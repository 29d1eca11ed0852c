import {
  type CreateTableNode,
  DataTypeNode,
  type KyselyPlugin,
  OperationNodeTransformer,
  type PluginTransformQueryArgs,
  type PluginTransformResultArgs,
  RawNode,
  type RootOperationNode,
} from 'kysely';

const STRICT_TYPES: readonly string[] = ['text', 'integer', 'real', 'blob'];

/** Replaces types that STRICT tables do not know: `bigint`, and the `varchar` of the migrator's own tables. */
class StrictTypes extends OperationNodeTransformer {
  protected override transformDataType(node: DataTypeNode): DataTypeNode {
    const { dataType } = node;
    if (dataType === 'bigint') return DataTypeNode.create('integer');
    return dataType.startsWith('varchar') ? DataTypeNode.create('text') : node;
  }
}

const isStrict = ({ dataType }: CreateTableNode['columns'][number]) =>
  DataTypeNode.is(dataType) && STRICT_TYPES.includes(dataType.dataType);

/**
 * Returns a plugin that makes the tables of migrations STRICT, so that a column holds values of its type alone, as on
 * PostgreSQL. Tables with a type that STRICT tables do not know, or with modifiers of their own, stay as they are.
 */
export function strictTables(): KyselyPlugin {
  const types = new StrictTypes();
  return {
    transformQuery({ node, queryId }: PluginTransformQueryArgs): RootOperationNode {
      if (node.kind !== 'CreateTableNode' && node.kind !== 'AlterTableNode') return node;
      const typed = types.transformNode(node, queryId);
      if (typed.kind !== 'CreateTableNode' || typed.endModifiers || !typed.columns.every(isStrict))
        return typed;
      return { ...typed, endModifiers: [RawNode.createWithSql('strict')] };
    },
    transformResult: async ({ result }: PluginTransformResultArgs) => result,
  };
}
