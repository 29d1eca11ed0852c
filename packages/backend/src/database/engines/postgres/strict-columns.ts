import {
  type AlterColumnNode,
  type ColumnDefinitionNode,
  DataTypeNode,
  type KyselyPlugin,
  type OperationNode,
  OperationNodeTransformer,
  type PluginTransformQueryArgs,
  type PluginTransformResultArgs,
  RawNode,
  type RootOperationNode,
} from 'kysely';

/** What a column of a migration is here, so that it holds and orders what it does on SQLite. */
function strict(type: OperationNode): OperationNode {
  if (!DataTypeNode.is(type)) return type;
  const { dataType } = type;
  // Texts are compared by their characters' numbers, whatever language the server speaks.
  if (dataType === 'text' || dataType.startsWith('varchar'))
    return RawNode.createWithSql(`${dataType} collate "C"`);
  // SQLite's integer has eight bytes.
  return dataType === 'integer' ? DataTypeNode.create('bigint') : type;
}

class StrictTypes extends OperationNodeTransformer {
  protected override transformColumnDefinition(node: ColumnDefinitionNode): ColumnDefinitionNode {
    return { ...super.transformColumnDefinition(node), dataType: strict(node.dataType) };
  }

  protected override transformAlterColumn(node: AlterColumnNode): AlterColumnNode {
    const transformed = super.transformAlterColumn(node);
    return node.dataType ? { ...transformed, dataType: strict(node.dataType) } : transformed;
  }
}

/** Makes the tables of migrations such that both engines answer alike. */
export function strictColumns(): KyselyPlugin {
  const types = new StrictTypes();
  return {
    transformQuery({ node, queryId }: PluginTransformQueryArgs): RootOperationNode {
      if (node.kind !== 'CreateTableNode' && node.kind !== 'AlterTableNode') return node;
      return types.transformNode(node, queryId);
    },
    transformResult: async ({ result }: PluginTransformResultArgs) => result,
  };
}
