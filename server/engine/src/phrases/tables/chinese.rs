//! Chinese phrases, simplified and traditional. Every character is a word to the patterns, so `的?` is one optional character.

use super::super::row::{Language, Says::*};

pub(super) const LANGUAGE: Language = Language { lists: LISTS, rows: ROWS };

const LISTS: &[(&str, &str)] = &[
    ("其余", "其余 其他 其它 剩余 剩下 其餘 剩餘"),
    ("代码", "代码 部分 方法 实现 函数 逻辑 内容 文件 类 配置 导入 組件 组件 程式碼 代碼 實現 函數 邏輯 测试 字段 属性 处理 样式 路由"),
    ("不变", "不变 保持不变 无变化 没有变化 未改动 未修改 不變 保持不變 相同 一致 与之前相同 和之前一样 同上"),
];

const ROWS: &[(super::super::row::Says, &str)] = &[
    (Elision, "@其余 的? @代码 部分? 都|均? 保持|维持? @不变 ~2"),
    (Elision, "@其余 的? @代码 已|均|在此|此处? 省略"),
    (Elision, "省略 了? @其余|部分 的? @代码"),
    (Elision, "此处|以下|这里|中间|此處|后面 的? @代码? 省略 ~4"),
    (Elision, "@代码 已? 省略"),
    (Elision, "为 了? 简洁|简明|简短 起见? 省略 ~4"),
    (Elision, "限于篇幅|篇幅所限|篇幅有限 ~6"),
    (Elision, "现有|原有|已有|之前|現有|原来 的? 代码|代碼|程式碼 保持|维持? @不变?"),
    (Dotted, "@其余 的? @代码"),
    (Dotted, "现有|原有|已有|之前|原来|現有 的? @代码"),
    (Dotted, "省略|同上|保持不变|不变|同前|无变化|与之前相同|和之前一样|与上面相同"),
    (Promise, "^ 待 实现|完成|补充|实作|實現|完善|开发 ~2 $"),
    (Promise, "TODO|FIXME ~12 实现|完善|實現|补充|实作|补全"),
    (Promise, "^ 稍后|以后|后续|之后|后面|將來|将来 再? 实现|添加|补充|完善|實現"),
    (Promise, "^ ~6 尚未|还未|暂未|还没有|還未|未 实现|完成|實現 $"),
    (Promise, "在此|在这里|此处|这里|在這裡 添加|实现|编写|填写|补充|實現 你的|您的|具体|业务|自己? ~4 代码|逻辑|实现"),
    (Promise, "^ 此处|这里|在这里 需要? 实现 ~6 逻辑|代码|功能"),
    (Confession, "^ 暂时|临时|目前|当前|目前先|暫時|先 只|先|直接|都|固定? 返回|写死|使用固定|硬编码|返回空|模拟|用假数据"),
    (
        Confession,
        "^ 这|这里|此处|这里是|仅 是|为|只是? 一个? 简化|模拟|占位|示例|临时|假|簡化|模擬|佔位 的? 版本|实现|数据|代码|逻辑|返回值|值|實現",
    ),
    (Confession, "^ 简化|模拟|占位|临时|假|虚拟|簡化|模擬|佔位 的? 版本|实现|数据|代码|逻辑|返回值|值|實現|符 $"),
    (Confession, "^ 占位|占位符 实现|代码|稍后|以后|之后|后续|待"),
    (
        Confession,
        "^ ~4 实际|真实|正式|生产|實際|真實 的? 项目|应用|实现|环境|系统|场景|業務|业务|代码 中|里|裡 ~6 应|应该|需要|需|会|要|可以|应当|應該",
    ),
    (StandIn, "暂时|临时|占位|简化|模拟数据|写死|硬编码|假数据|尚未实现|未实现|待实现|暫時|未實現|示例数据|先返回|待完善"),
    (Empty, "故意|有意|特意|刻意|什么都不做|什么也不做|不做任何|无需|不需要|无操作|空操作|空实现|忽略|不处理|留空"),
    (StubMissing, "未|尚未|还未|没有|暂未 实现|實現|实作"),
    (StubPromise, "待实现|待完成|待實現"),
];

#[cfg(test)]
mod tests {
    use crate::phrases::{Phrase, StubWording, classify, explains_emptiness, stands_in, stub_wording};

    #[test]
    fn said() {
        for (text, want) in [
            ("... 其余代码保持不变 ...", Phrase::Elision),
            ("其他方法不变", Phrase::Elision),
            ("……现有代码……", Phrase::Elision),
            ("此处省略", Phrase::Elision),
            ("其余部分省略", Phrase::Elision),
            ("(同上)", Phrase::Elision),
            ("TODO：实现缓存", Phrase::Promise),
            ("待实现", Phrase::Promise),
            ("稍后实现", Phrase::Promise),
            ("该功能尚未实现", Phrase::Promise),
            ("在此添加代码", Phrase::Promise),
            ("暂时返回空列表", Phrase::Confession),
            ("这里是模拟数据", Phrase::Confession),
            ("简化实现", Phrase::Confession),
            ("实际项目中应该查询数据库", Phrase::Confession),
        ] {
            assert_eq!(classify(text), Some(want), "{text}");
        }
        assert!(stands_in("先写死"));
        assert!(explains_emptiness("故意留空"));
        assert_eq!(stub_wording("尚未实现"), Some(StubWording::NotImplemented));
    }

    #[test]
    fn not_said() {
        for text in [
            "其余参数传给下一个函数",
            "同上",
            "省略号表示更多",
            "实现缓存",
            "返回剩余的字节数",
            "占位符会被替换为名字",
            "临时文件在结束时删除",
            "如果未实现该接口则抛出异常",
        ] {
            assert_eq!(classify(text), None, "{text}");
        }
    }
}
