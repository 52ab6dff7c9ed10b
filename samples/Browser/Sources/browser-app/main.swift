import SampleStage

Stage.run { stage in try await Story(stage).play() }
